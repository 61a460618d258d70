import Discovery
import Testing

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

    @Test("a device that belongs to another program is not taken, whatever it is called")
    func ignored() {
        #expect(DiscoveredLine.choose(.port("1-3"), from: Self.ttys) == nil)
        #expect(DiscoveredLine.choose(.named("ttyUSB1"), from: Self.ttys) == nil)
    }
}
