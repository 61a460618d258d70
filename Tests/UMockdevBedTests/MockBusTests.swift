import FirmwareCores
import Glibc
import Testing

@testable import UMockdevBed

/// Why the tests that need umockdev cannot run here; nil when they can.
let missingPrerequisite: String? = {
    do throws(MockBusError) {
        _ = try UMockdevInstallation.find()
        return nil
    } catch {
        return error.description
    }
}()

@Suite(.enabled(if: missingPrerequisite == nil, "skipped: \(missingPrerequisite ?? "")"))
struct MockBusTests {
    private let bus: MockBus
    private let node = "bus/usb/001/002"

    init() throws {
        bus = try MockBus()
        try bus.plug(DeviceSpec(family: "reference"))
    }

    private func client() throws -> UsbfsClient { try UsbfsClient(root: bus.root, node: node) }

    @Test func `a bulk exchange is submitted, completes in order and is reaped`() throws {
        let client = try client()
        #expect(client.readiness == 0)
        #expect(try client.submit(3, endpoint: 0x82, at: 0x0000, length: 512) == .ok)
        #expect(client.readiness == 0)
        #expect(try client.reap() == nil)
        #expect(client.lastError == EAGAIN)
        #expect(try client.submit(3, endpoint: 0x02, at: 0x4000, bytes: [1, 0xCA, 0xFE], length: 3) == .ok)
        #expect(client.readiness == POLLOUT)
        #expect(try client.reap() == .init(offset: 0x4000, status: 0, bytes: [1, 0xCA, 0xFE]))
        #expect(client.readiness == POLLOUT)
        #expect(try client.reap() == .init(offset: 0x0000, status: 0, bytes: [0xCA, 0xFE]))
        #expect(client.readiness == 0)
        bus.close()
    }

    @Test func `a discarded transfer is reaped as such, and cannot be discarded twice`() throws {
        let client = try client()
        #expect(try client.submit(1, endpoint: 0x83, at: 0, length: 8) == .ok)
        #expect(try client.ioctl(.discard) == .ok)
        #expect(try client.ioctl(.discard) == .failure(EINVAL))
        #expect(try client.reap() == .init(offset: 0, status: -ENOENT, bytes: []))
        bus.close()
    }

    @Test func `unplugging ends transfers, hangs the node up and leaves reaping possible`() throws {
        let client = try client()
        #expect(try client.submit(3, endpoint: 0x82, at: 0, length: 512) == .ok)
        try bus.unplug(port: "1-1")
        #expect(client.readiness & (POLLERR | POLLHUP) == POLLERR | POLLHUP)
        #expect(access(bus.root + "/sys/bus/usb/devices/1-1", F_OK) == -1)
        #expect(try client.ioctl(.claimInterface) == .failure(ENODEV))
        #expect(try client.reap() == .init(offset: 0, status: -ESHUTDOWN, bytes: []))
        #expect(try client.reap() == nil)
        #expect(client.lastError == ENODEV)
        bus.close()
    }

    @Test func `a device comes back with a new number`() throws {
        try bus.unplug(port: "1-1")
        try bus.replug(port: "1-1")
        #expect(throws: UsbfsClient.Lost.self) { try UsbfsClient(root: bus.root, node: node) }
        let client = try UsbfsClient(root: bus.root, node: "bus/usb/001/003")
        #expect(try client.ioctl(.claimInterface) == .ok)
        bus.close()
    }

    @Test func `an interface has one owner, and a kernel driver is one`() throws {
        let (first, second) = (try client(), try client())
        #expect(try first.ioctl(.getDriver) == .failure(ENODATA))
        #expect(try first.ioctl(.claimInterface) == .ok)
        #expect(try first.ioctl(.claimInterface) == .ok)
        #expect(try second.ioctl(.claimInterface) == .failure(EBUSY))
        #expect(try first.ioctl(.releaseInterface) == .ok)
        try bus.steer(port: "1-1", command: "driver ftdi_sio")
        #expect(try second.ioctl(.claimInterface) == .failure(EBUSY))
        #expect(try second.ioctl(.getDriver) == .ok)
        #expect(Array(second.memory[4..<13]) == Array("ftdi_sio\0".utf8))
        second.memory.replaceSubrange(0..<8, with: [UInt8](repeating: 0, count: 8))
        #expect(try second.ioctl(.disconnectClaim) == .ok)
        #expect(try first.ioctl(.claimInterface) == .failure(EBUSY))
        bus.close()
    }

    @Test func `a driver that is taken away takes its tty along, and one that comes brings it`() throws {
        try bus.unplug(port: "1-1")
        try bus.steer(port: "1-1", command: "tty ttyUSB0@/dev/null@ftdi_sio")
        try bus.steer(port: "1-1", command: "driver ftdi_sio")
        try bus.replug(port: "1-1")
        let interface = "/sys/devices/pci0000:00/0000:00:14.0/usb1/1-1/1-1:1.0"
        let places = ["/sys/class/tty/ttyUSB0", "/dev/ttyUSB0", interface + "/driver", interface + "/tty/ttyUSB0"]
        func present() -> [Bool] {
            places.map { place in
                var status = stat()
                return lstat(bus.root + place, &status) == 0
            }
        }
        #expect(present() == [true, true, true, true])
        let client = try UsbfsClient(root: bus.root, node: "bus/usb/001/003")
        #expect(try client.ioctl(.disconnectClaim) == .ok)
        #expect(present() == [false, false, false, false])
        #expect(try client.ioctl(.releaseInterface) == .ok)
        try bus.steer(port: "1-1", command: "driver ftdi_sio")
        #expect(present() == [true, true, true, true])
        bus.close()
    }

    @Test func `an injected errno reaches the client`() throws {
        let client = try client()
        try bus.steer(port: "1-1", command: "errno claim EBUSY 1")
        #expect(try client.ioctl(.claimInterface) == .failure(EBUSY))
        #expect(try client.ioctl(.claimInterface) == .ok)
        bus.close()
    }

    @Test func `an unknown ioctl is answered ENOTTY and complained about`() throws {
        let client = try client()
        #expect(try client.ioctl(.getSpeed) == .failure(ENOTTY))
        #expect(bus.complaints.isEmpty)
        #expect(try client.ioctl(UInt(0x5563)) == .failure(ENOTTY))
        #expect(bus.complaints == ["1-1: unknown ioctl 0x00005563"])
        bus.close()
    }

    @Test(arguments: [
        (UInt8(3), UInt8(0x81), 512, ENOENT), (9, 0x82, 512, EINVAL), (3, 0x82, -1, EINVAL), (2, 0x00, 4, EINVAL),
    ])
    func `a request that usbfs refuses is refused`(kind: UInt8, endpoint: UInt8, length: Int, number: Int32) throws {
        let client = try client()
        #expect(try client.submit(kind, endpoint: endpoint, at: 0, length: length) == .failure(number))
        bus.close()
    }

    @Test func `a fault can be put off, and a malformed one is refused at once`() throws {
        try bus.steer(port: "1-1", command: "after 0 errno claim EBUSY 1")
        let client = try client()
        #expect(try client.ioctl(.claimInterface) == .failure(EBUSY))
        #expect(try client.ioctl(.claimInterface) == .ok)
        #expect(throws: MockBusError.refused("no errno named 'EB' is known here")) {
            try bus.steer(port: "1-1", command: "after 5 errno claim EB")
        }
        bus.close()
    }

    @Test func `steering that nobody understands is refused`() throws {
        #expect(throws: MockBusError.refused("there is no device at port '1-9'")) {
            try bus.steer(port: "1-9", command: "plug")
        }
        #expect(throws: MockBusError.refused("the reference reader does not understand 'sing'")) {
            try bus.steer(port: "1-1", command: "sing")
        }
        #expect(throws: MockBusError.refused("port 1-1 is taken")) {
            try bus.plug(DeviceSpec(family: "reference", port: "1-1"))
        }
        #expect(throws: MockBusError.refused("'2-1' is not a port: 1-1 to 1-15")) {
            try bus.plug(DeviceSpec(family: "reference", port: "2-1"))
        }
        bus.close()
    }

    @Test func `closing removes the testbed`() throws {
        #expect(access(bus.root + "/sys/bus/usb/devices/usb1/descriptors", R_OK) == 0)
        bus.close()
        #expect(access(bus.root, F_OK) == -1)
    }
}
