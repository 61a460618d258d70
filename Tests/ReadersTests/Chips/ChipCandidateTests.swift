import Discovery
import FirmwareCores
import InProcessMock
import Testing
import Transport
import USBSerial

@testable import Readers

/// Which serial chips may be opened without the kernel, and which ttys are left alone for it.
@Suite("Serial chips: which are opened")
struct ChipCandidateTests {
    private static func device(_ circuit: any ChipCircuit, serial: String? = nil) -> InProcessDevice {
        InProcessDevice(
            core: USBSerialCore(circuit, firmware: EchoFirmware(), serial: serial), clock: SystemMonotonicClock.shared)
    }

    private static let cp2102 = ChipBench.Plugged(device: device(CP210xCircuit()))
    private static let tty = ChipBench.tty("ttyUSB0", at: "1-1")

    private func chips(
        _ plugged: [ChipBench.Plugged], _ configured: [ConfiguredUSBLine] = [], isIntrusive: Bool = false,
        ignored: Bool = false
    ) throws -> [ChipCandidate] {
        var present = try ChipBench(plugged).present()
        if ignored { present.devices[0].properties["READERKIT_IGNORE"] = "1" }
        return ChipCandidate.all(
            configured: configured, lines: USBLine.all(in: present.devices, present.ttys), devices: present.devices,
            isIntrusive: isIntrusive)
    }

    private func ttys(
        _ plugged: [ChipBench.Plugged], _ named: [ConfiguredUSBLine], configured: [ConfiguredTTY] = [],
        isIntrusive: Bool = false
    ) throws -> [TTYCandidate] {
        let present = try ChipBench(plugged).present()
        return TTYCandidate.all(
            configured: configured, named: named, present: present.ttys,
            lines: USBLine.all(in: present.devices, present.ttys), ignoredDevices: [], isIntrusive: isIntrusive)
    }

    @Test("a chip that nobody has named is asked only by an intrusive search, an ignored one never")
    func unnamed() throws {
        #expect(try chips([Self.cp2102]).isEmpty)
        #expect(try chips([Self.cp2102], isIntrusive: true).map(\.reason) == [.intrusive])
        #expect(try chips([Self.cp2102], isIntrusive: true, ignored: true).isEmpty)
        let named = try ChipBench.named("usb:10c4:ea60", .qpos)
        #expect(try chips([Self.cp2102], [named], ignored: true).isEmpty)
    }

    @Test("the configuration names it by ids, serial number or port, with family and speed")
    func named() throws {
        for name in ["usb:10c4:ea60", "usb:10c4:ea60:0001", "usb:1-1"] {
            let found = try chips([Self.cp2102], [ChipBench.named(name, .mpi, baud: .b9600)])
            #expect(found.map(\.family) == [.mpi] && found.map(\.speed) == [.b9600])
            #expect(found.map(\.id) == ["usb:10c4:ea60:0001"] && found.map(\.isDirect) == [false])
        }
        for name in ["usb:10c4:ea60:0002", "usb:1-2", "usb:1-1:1", "usb:0403:6001"] {
            #expect(try chips([Self.cp2102], [ChipBench.named(name, .mpi)]).isEmpty, "\(name)")
        }
    }

    @Test("a device that is a reader by its ids needs no name")
    func catalogued() throws {
        let identity = SerialUSBCore.Identity(
            vendorId: 0x2DDA, productId: 1, manufacturer: "Miura Systems", product: "M010", serial: "7")
        let miura = InProcessDevice(
            core: SerialUSBCore(try MPIFirmware.make(), as: identity), clock: SystemMonotonicClock.shared)
        let found = try chips([ChipBench.Plugged(device: miura)])
        #expect(found.map(\.family) == [.mpi] && found.map(\.reason) == [.catalogue])
    }

    @Test("with a tty there is one entry: the tty, as configured; the chip when it is wanted directly")
    func once() throws {
        var plugged = Self.cp2102
        plugged.tty = Self.tty
        let named = try ChipBench.named("usb:10c4:ea60:0001", .qpos, baud: .b9600)
        #expect(try chips([plugged], [named], isIntrusive: true).isEmpty)
        let found = try ttys([plugged], [named], isIntrusive: true)
        #expect(found.map(\.node) == ["/dev/ttyUSB0"] && found.map(\.reason) == [.configured])
        #expect(found.map(\.family) == [.qpos] && found.map(\.speed) == [.b9600])
        #expect(found.first?.line?.function.chip.name == "Silicon Labs CP2102")
        // What is told to be configured is for the entry that names the device.
        let entry = found.first?.entry(TTYSpeedSearch.Finding(family: .qpos, speed: .b19200))
        #expect(
            entry
                == #""readers": {"usbSerial": [{"device": "usb:10c4:ea60:0001", "family": "qpos", "baud": 19200}]}"#)

        let direct = try ChipBench.named("usb:10c4:ea60", .qpos, isDirect: true)
        #expect(try chips([plugged], [direct], isIntrusive: true).map(\.isDirect) == [true])
        #expect(try ttys([plugged], [direct], isIntrusive: true).isEmpty)
        // Nor when its port is named as well; a port is any file, for what it is worth here.
        plugged.tty?.node = "/dev/null"
        let port = ConfiguredTTY(path: "/dev/null", family: .mpi, baud: .b9600)
        #expect(try ttys([plugged], [direct], configured: [port]).isEmpty)
        #expect(try ttys([plugged], [named], configured: [port]).map(\.family) == [.mpi])
    }

    @Test("each line of a device with several has a name of its own, and its own tty")
    func several() throws {
        var plugged = ChipBench.Plugged(device: Self.device(FTDICircuit(.ft2232h), serial: "FT1"))
        #expect(
            try chips([plugged], isIntrusive: true).map(\.id) == ["usb:0403:6010:FT1", "usb:0403:6010:FT1:1"])
        let second = try ChipBench.named("usb:0403:6010::1", .qpos)
        #expect(try chips([plugged], [second]).map(\.id) == ["usb:0403:6010:FT1:1"])
        plugged.tty = ChipBench.tty("ttyUSB1", at: "1-1", interface: 1)
        #expect(try chips([plugged], [second], isIntrusive: true).map(\.id) == ["usb:0403:6010:FT1"])
        #expect(try ttys([plugged], [second]).map(\.node) == ["/dev/ttyUSB1"])
    }

    @Test("twins are told apart by their ports")
    func twins() throws {
        let found = try chips([Self.cp2102, Self.cp2102], isIntrusive: true)
        #expect(found.map(\.id) == ["usb:1-1", "usb:1-2"])
    }
}
