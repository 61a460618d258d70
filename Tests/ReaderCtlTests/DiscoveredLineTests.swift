import Discovery
import Readers
import Testing
import Transport
import USBDescriptors
import USBSerial

@testable import readerctl

@Suite("The line that `bridge` is asked for")
struct DiscoveredLineTests {
    private static func tty(_ name: String, port: String?, interface: UInt8? = nil, ignored: Bool = false)
        -> DiscoveredTTY
    {
        DiscoveredTTY(
            syspath: "/sys/\(name)", sysname: name, node: "/dev/\(name)",
            linksById: ["/dev/serial/by-id/usb-Maker_\(name)-if00"],
            linksByPath: ["/dev/serial/by-path/pci-0-usb-\(name)"], driver: "cdc_acm",
            usb: port.map {
                .init(
                    syspath: "/sys/\($0)", sysname: $0, deviceNumber: 3, vendorId: 0x0ACD, productId: 0x3810,
                    interface: interface)
            },
            properties: ignored ? ["READERKIT_IGNORE": "1"] : [:])
    }

    private static let ttys = [
        tty("ttyACM1", port: "1-2", interface: 2), tty("ttyACM2", port: "1-2", interface: 0),
        tty("ttyUSB0", port: "1-1.2", interface: 0), tty("ttyUSB1", port: "1-3", ignored: true),
        tty("ttyS0", port: nil),
    ]

    @Test("by USB port: the first interface's; by name: the node's or a link's")
    func choosing() {
        func node(_ choice: DiscoveredLine.Choice) -> String? {
            DiscoveredLine.choose(choice, from: Self.ttys)?.node
        }
        #expect(node(.port("1-2")) == "/dev/ttyACM2")
        #expect(node(.port("1-1.2")) == "/dev/ttyUSB0")
        #expect(node(.port("1-1")) == nil)
        #expect(node(.named("ttyS0")) == "/dev/ttyS0")
        #expect(node(.named("usb-Maker_ttyUSB0-if00")) == "/dev/ttyUSB0")
        #expect(node(.named("pci-0-usb-ttyACM1")) == "/dev/ttyACM1")
        #expect(node(.named("ttyUSB")) == nil)
    }

    /// A CP2102 at 1-4, whose descriptors are not needed.
    private static func line(tty: DiscoveredTTY? = nil, driver: String? = nil) -> USBLine {
        let device = DiscoveredDevice(
            syspath: "/sys/1-4", sysname: "1-4", busNumber: 1, deviceNumber: 7, node: "/dev/bus/usb/001/007",
            vendorId: 0x10C4, productId: 0xEA60, serial: "0001",
            interfaces: [.init(number: 0, interfaceClass: 0xFF, subclass: 0, interfaceProtocol: 0, driver: driver)])
        return USBLine(
            device: device, function: USBSerialFunction(chip: CP210xChip(.cp2102, port: 0), dataInterface: 0), tty: tty)
    }

    private func way(
        _ choice: DiscoveredLine.Choice, _ line: USBLine, ttys: [DiscoveredTTY] = [],
        _ configured: [ConfiguredUSBLine] = []
    ) -> String? {
        switch DiscoveredLine.way(to: choice, ttys: ttys, lines: [line], configured) {
        case .tty(let tty): tty.node
        case .usb(let line, let takesFromKernel): line.device.node + (takesFromKernel ? " taken" : "")
        case nil: nil
        }
    }

    @Test("a chip without a tty is opened over USB, by the reader's id, the device's node or the port")
    func chip() {
        for choice: DiscoveredLine.Choice in [
            .named("usb:10c4:ea60:0001"), .named("usb:10c4:ea60"), .named("usb:1-4"), .named("/dev/bus/usb/001/007"),
            .port("1-4"),
        ] {
            #expect(way(choice, Self.line()) == "/dev/bus/usb/001/007")
        }
        #expect(way(.named("usb:10c4:ea60:0002"), Self.line()) == nil && way(.port("1-5"), Self.line()) == nil)
    }

    @Test("a chip with a tty is opened by it, unless the configuration wants the chip directly")
    func direct() throws {
        let tty = Self.tty("ttyUSB4", port: "1-4", interface: 0)
        let line = Self.line(tty: tty, driver: "cp210x")
        let name = try #require(USBLineName("usb:10c4:ea60"))
        for choice: DiscoveredLine.Choice in [.port("1-4"), .named("usb:10c4:ea60:0001"), .named("tty:10c4:ea60:0001")]
        {
            #expect(way(choice, line, ttys: [tty]) == "/dev/ttyUSB4")
            let plain = ConfiguredUSBLine(name, family: .qpos, baud: .b115200)
            #expect(way(choice, line, ttys: [tty], [plain]) == "/dev/ttyUSB4")
            let direct = ConfiguredUSBLine(name, family: .qpos, baud: .b115200, isDirect: true)
            #expect(way(choice, line, ttys: [tty], [direct]) == "/dev/bus/usb/001/007 taken")
        }
        // Whoever says the tty's name means the tty.
        #expect(way(.named("ttyUSB4"), line, ttys: [tty]) == "/dev/ttyUSB4")
    }

    @Test("a device that belongs to another program is not taken, whatever it is called")
    func ignored() {
        #expect(DiscoveredLine.choose(.port("1-3"), from: Self.ttys) == nil)
        #expect(DiscoveredLine.choose(.named("ttyUSB1"), from: Self.ttys) == nil)
    }
}
