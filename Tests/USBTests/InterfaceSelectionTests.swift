import Testing
import USB
import USBDescriptors

@Suite("Choosing an interface")
struct InterfaceSelectionTests {
    private static let bulk = [
        EndpointDescriptor(address: 0x02, attributes: 2, maxPacketSize: 64, interval: 0),
        EndpointDescriptor(address: 0x82, attributes: 2, maxPacketSize: 64, interval: 0),
    ]

    private static func interface(
        _ number: UInt8, _ interfaceClass: UInt8, subclass: UInt8 = 0, setting: UInt8 = 0,
        _ endpoints: [EndpointDescriptor] = []
    ) -> InterfaceDescriptor {
        InterfaceDescriptor(
            number: number, alternateSetting: setting, interfaceClass: interfaceClass, subclass: subclass,
            interfaceProtocol: 0, endpoints: endpoints)
    }

    private let composite = ConfigurationDescriptor(
        value: 1, attributes: 0x80, maxPower: 50,
        interfaces: [
            interface(0, 0x02, subclass: 2), interface(1, 0x0A, setting: 1, bulk), interface(1, 0x0A, bulk),
            interface(2, 0xFF, subclass: 7, bulk),
        ])

    @Test(
        "the first that fits in alternate setting 0",
        arguments: [
            (.number(2), 2), (.number(9), nil), (.matching(interfaceClass: 0x0A), 1),
            (.matching(interfaceClass: 0xFF, subclass: 7), 2), (.matching(interfaceClass: 0xFF, subclass: 8), nil),
            (.matching(interfaceClass: 0xFF, subclass: 7, interfaceProtocol: 1), nil), (.firstWithBulkPipes, 1),
        ] as [(USBInterfaceSelection, UInt8?)])
    func choice(selection: USBInterfaceSelection, expected: UInt8?) {
        let chosen = selection.choose(from: composite)
        #expect(chosen?.number == expected)
        #expect((chosen?.alternateSetting ?? 0) == 0)
    }

    @Test("an address is written as the node is named")
    func address() {
        #expect("\(USBDeviceAddress(bus: 1, device: 12))" == "001/012")
        #expect("\(USBDeviceAddress(bus: 255, device: 127))" == "255/127")
    }
}
