import Testing

@testable import Discovery

@Suite("A serial port as udev shows it")
struct DiscoveredTTYTests {
    private func tty(
        serial: String? = nil, number: UInt8 = 2, properties: [String: String] = [:], isUSB: Bool = true
    ) -> DiscoveredTTY {
        DiscoveredTTY(
            syspath: "/sys/x/ttyUSB0", sysname: "ttyUSB0", node: "/dev/ttyUSB0",
            linksById: isUSB ? ["/dev/serial/by-id/usb-Maker_Reader-if00-port0"] : [],
            linksByPath: ["/dev/serial/by-path/pci-0000:00:14.0-usb-0:1:1.0-port0"], driver: "ftdi_sio",
            usb: isUSB
                ? .init(
                    syspath: "/sys/x", sysname: "1-1", deviceNumber: number, vendorId: 0x0403, productId: 0x6001,
                    serial: serial)
                : nil,
            properties: properties)
    }

    @Test("the stable name is by id with a serial number, else by path: twins without one share their id")
    func stableName() {
        #expect(tty(serial: "A1").stableName == "/dev/serial/by-id/usb-Maker_Reader-if00-port0")
        #expect(tty().stableName == "/dev/serial/by-path/pci-0000:00:14.0-usb-0:1:1.0-port0")
        #expect(tty(isUSB: false).stableName == "/dev/serial/by-path/pci-0000:00:14.0-usb-0:1:1.0-port0")
    }

    @Test("ModemManager keeps away from what its rules except")
    func modemManager() {
        #expect(!tty().isModemManagerCandidate)
        #expect(tty(properties: ["ID_MM_CANDIDATE": "1"]).isModemManagerCandidate)
        for exception in ["ID_MM_DEVICE_IGNORE", "ID_MM_PORT_IGNORE"] {
            #expect(!tty(properties: ["ID_MM_CANDIDATE": "1", exception: "1"]).isModemManagerCandidate)
        }
        #expect(tty(properties: ["READERKIT_IGNORE": "1"]).isIgnored)
    }

    @Test("the same name with another device number is a departure and an arrival")
    func replug() {
        var present = PresentDevices<DiscoveredTTY>()
        #expect(present.put(tty()) == [.arrived(tty())])
        let tagged = tty(properties: ["TAGS": ":systemd:"])
        #expect(present.put(tagged) == [])
        #expect(present.put(tty(number: 3)) == [.departed(tagged), .arrived(tty(number: 3))])
    }
}
