import Testing
import USBDescriptors

@Suite("How a serial line of a USB device is named")
struct USBLineNameTests {
    @Test(
        "each form is read, and written as it was",
        arguments: [
            ("usb:0403:6001", .ids(vendorId: 0x0403, productId: 0x6001, serial: nil), 0),
            ("usb:0403:6001:A600ABCD", .ids(vendorId: 0x0403, productId: 0x6001, serial: "A600ABCD"), 0),
            ("usb:0403:6010:FT%3A1:1", .ids(vendorId: 0x0403, productId: 0x6010, serial: "FT:1"), 1),
            ("usb:0403:6010::1", .ids(vendorId: 0x0403, productId: 0x6010, serial: nil), 1),
            ("usb:1-1.2", .port("1-1.2"), 0), ("usb:1-1.2:3", .port("1-1.2"), 3),
        ] as [(String, USBLineName.Device, Int)])
    func forms(text: String, device: USBLineName.Device, line: Int) throws {
        let name = try #require(USBLineName(text))
        #expect(name == USBLineName(device, line: line))
        #expect(name.description == text)
    }

    @Test("the first line may be said, and hex digits may be large")
    func variants() {
        #expect(USBLineName("usb:0ACD:0630:X:0")?.description == "usb:0acd:0630:X")
        #expect(USBLineName("usb:1-1:0")?.description == "usb:1-1")
    }

    @Test(
        "anything else is none",
        arguments: [
            "", "usb:", "usb:0403", "usb:403:6001", "usb:0403:600g", "usb:+403:6001", "usb:0403:6001:",
            "usb:0403:6001:A:",
            "usb:0403:6001:A:16", "usb:0403:6001:A:1:2", "usb:0403:6001:A:+1", "usb:0403:6001:%4", "usb:0403:6001:%+A",
            "usb:0403:6001:é", "usb:0403:6001:A B", "usb:0403:6001:A/B", "usb:0403:6001:A\u{0}", "usb:٠٤٠٣:6001",
            "usb:1-", "usb:-1", "usb:1-1..2", "usb:1-1:x", "usb:1-1:", "tty:0403:6001", "0403:6001", "usb:1-1.2-3",
        ])
    func malformed(text: String) {
        #expect(USBLineName(text) == nil)
    }

    @Test("ids mean every such device, a serial number one of them, a port whatever is there")
    func meaning() throws {
        func isOn(_ text: String, serial: String?, port: String = "1-1") throws -> Bool {
            try #require(USBLineName(text)).isOn(vendorId: 0x0403, productId: 0x6001, serial: serial, port: port)
        }
        #expect(try isOn("usb:0403:6001", serial: nil) && isOn("usb:0403:6001", serial: "A"))
        #expect(try isOn("usb:0403:6001:A", serial: "A"))
        #expect(try !isOn("usb:0403:6001:A", serial: "B") && !isOn("usb:0403:6001:A", serial: nil))
        #expect(try !isOn("usb:0403:6015", serial: "A") && !isOn("usb:10c4:6001", serial: "A"))
        #expect(try isOn("usb:1-2", serial: nil, port: "1-2") && !isOn("usb:1-2", serial: nil, port: "1-2.1"))
    }
}
