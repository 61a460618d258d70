import Discovery
import Testing

@Suite("Which reader is which")
struct DeviceIdentityTests {
    private func device(_ port: String, serial: String?, product: UInt16 = 0x3437) -> DiscoveredDevice {
        DiscoveredDevice(
            syspath: "/sys/devices/pci0/usb1/\(port)", sysname: port, busNumber: 1, deviceNumber: 2,
            node: "/dev/bus/usb/001/002", vendorId: 0x08E6, productId: product, serial: serial)
    }

    @Test("a serial number of its own identifies a reader on any port")
    func serial() {
        let reader = device("1-1", serial: "R0001")
        let identity = DeviceIdentity(of: reader, among: [reader, device("1-2", serial: "R0002")])
        #expect("\(identity)" == "usb:08e6:3437:R0001")
        #expect(identity.matches(device("1-4.2", serial: "R0001")))
        #expect(!identity.matches(device("1-1", serial: "R0002")))
    }

    @Test("twins are told apart by their ports")
    func twins() {
        let (one, two) = (device("1-1", serial: "R0001"), device("1-2", serial: "R0001"))
        #expect("\(DeviceIdentity(of: one, among: [one, two]))" == "usb:1-1")
        #expect("\(DeviceIdentity(of: two, among: [one, two]))" == "usb:1-2")
        // The same serial number on another model is no twin.
        let other = device("1-2", serial: "R0001", product: 1)
        #expect("\(DeviceIdentity(of: one, among: [one, other]))" == "usb:08e6:3437:R0001")
    }

    @Test("no serial number, or one that is none, leaves the port", arguments: [nil, "", "0000000", "0 0"])
    func noSerial(serial: String?) {
        let reader = device("1-1.2", serial: serial)
        let identity = DeviceIdentity(of: reader, among: [reader])
        #expect("\(identity)" == "usb:1-1.2")
        #expect(identity.matches(device("1-1.2", serial: "other")))
        #expect(!identity.matches(device("1-1", serial: serial)))
    }

    @Test(
        "the string form is read back",
        arguments: [
            DeviceIdentity.port("1-1.2.3"), .serial(vendorId: 1, productId: 0xFFFF, serial: "A-1_2.z"),
            .serial(vendorId: 0x08E6, productId: 0x3437, serial: "a:b c%é\u{0}/"),
        ])
    func roundTrip(identity: DeviceIdentity) {
        #expect(DeviceIdentity("\(identity)") == identity)
        #expect(!"\(identity)".contains(" "))
    }

    @Test(
        "what is no identity is refused",
        arguments: [
            "", "usb:", "usb", "1-1", "usb:1:2", "usb:12345:0001:X", "usb:zzzz:0001:X", "usb:0001:0002:",
            "usb:0001:0002:%4", "usb:0001:0002:%zz", "usb:0001:0002:%FF",
        ])
    func refused(text: String) {
        #expect(DeviceIdentity(text) == nil)
    }
}
