import Testing

@testable import Discovery

@Suite("What is plugged in")
struct PresentDevicesTests {
    private func device(_ port: String, number: UInt8 = 2) -> DiscoveredDevice {
        DiscoveredDevice(
            syspath: "/sys/\(port)", sysname: port, busNumber: 1, deviceNumber: number, node: "/dev/bus/usb/001/002",
            vendorId: 1, productId: 2)
    }

    @Test("a device arrives once, and leaves by its path alone")
    func onceEach() {
        var present = PresentDevices<DiscoveredDevice>()
        #expect(present.put(device("1-1")) == [.arrived(device("1-1"))])
        #expect(present.put(device("1-1")) == [])
        #expect(present.remove("/sys/1-1") == [.departed(device("1-1"))])
        #expect(present.remove("/sys/1-1") == [])
    }

    @Test("another device number on the same port is a departure and an arrival")
    func missedDeparture() {
        var present = PresentDevices<DiscoveredDevice>()
        _ = present.put(device("1-1", number: 2))
        #expect(
            present.put(device("1-1", number: 3)) == [
                .departed(device("1-1", number: 2)), .arrived(device("1-1", number: 3)),
            ])
        #expect(present.all == [device("1-1", number: 3)])
    }

    @Test("a later look at the same device keeps it up to date without an event")
    func refresh() {
        var present = PresentDevices<DiscoveredDevice>()
        _ = present.put(device("1-1"))
        var bound = device("1-1")
        bound.interfaces = [.init(number: 0, interfaceClass: 11, subclass: 0, interfaceProtocol: 0, driver: "usbfs")]
        #expect(present.put(bound) == [])
        #expect(present.all == [bound])
    }

    @Test("a new scan tells the differences only")
    func rescan() {
        var present = PresentDevices<DiscoveredDevice>()
        _ = present.replace(with: [device("1-1"), device("1-2")])
        #expect(
            present.replace(with: [device("1-2"), device("1-3")]) == [
                .departed(device("1-1")), .arrived(device("1-3")),
            ])
    }
}
