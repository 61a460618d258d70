import FirmwareCores
import Testing
import USBDescriptors
import USBSerial

@Suite("Which serial ports a device has")
struct FunctionTests {
    private func functions(_ circuit: any ChipCircuit) throws -> [USBSerialFunction] {
        let descriptors = circuit.descriptors
        return USBSerialFunction.all(
            in: try DeviceDescriptor(parsing: descriptors.device),
            try ConfigurationDescriptor(parsing: descriptors.configuration))
    }

    @Test(
        "by their ids",
        arguments: [
            (FTDICircuit(.ft232r), "FTDI FT232R", 1), (FTDICircuit(.ft2232d), "FTDI FT2232D", 2),
            (FTDICircuit(.ft2232h), "FTDI FT2232H", 2), (FTDICircuit(.ft4232h), "FTDI FT4232H", 4),
            (FTDICircuit(.ft232h), "FTDI FT232H", 1), (FTDICircuit(.ftx), "FTDI FT-X", 1),
            (CP210xCircuit(), "Silicon Labs CP2102", 1), (CH34xCircuit(), "WCH CH34x", 1),
            (PL2303Circuit(.classic), "Prolific PL2303HX", 1), (PL2303Circuit(.oldest), "Prolific PL2303H", 1),
            (PL2303Circuit(.hxn), "Prolific PL2303HXN", 1),
        ] as [(any ChipCircuit, String, Int)])
    func ids(circuit: any ChipCircuit, name: String, ports: Int) throws {
        let found = try functions(circuit)
        #expect(found.map(\.chip.name) == Array(repeating: name, count: ports))
        #expect(found.map(\.port) == Array(0..<ports))
        #expect(found.map(\.dataInterface) == (0..<UInt8(ports)).map(\.self))
        #expect(found.allSatisfy { $0.controlInterface == nil })
    }

    @Test("each port of a chip with several has its own number in the requests")
    func numbers() throws {
        let chips = try functions(FTDICircuit(.ft4232h)).compactMap { $0.chip as? FTDIChip }
        #expect(chips.map(\.port) == [0, 1, 2, 3])
    }

    @Test("by their class: the data interface that the union names")
    func cdc() throws {
        let found = try functions(CDCACMCircuit())
        #expect(found.count == 1)
        #expect(found.first?.chip as? CDCACMChip == CDCACMChip(controlInterface: 0))
        #expect(found.first?.controlInterface == 0)
        #expect(found.first?.dataInterface == 1)
    }

    @Test("two CDC functions, the second with its interfaces the other way round and one without a union")
    func twoFunctions() throws {
        func interface(_ number: UInt8, _ kind: UInt8, extra: [UInt8] = []) -> InterfaceDescriptor {
            let bulk = [0x02, 0x82].map {
                EndpointDescriptor(address: $0 + number, attributes: 2, maxPacketSize: 64, interval: 0)
            }
            return InterfaceDescriptor(
                number: number, alternateSetting: 0, interfaceClass: kind, subclass: kind == 2 ? 2 : 0,
                interfaceProtocol: 0, endpoints: kind == 2 ? [] : bulk, extra: extra)
        }
        let configuration = ConfigurationDescriptor(
            value: 1, attributes: 0x80, maxPower: 50,
            interfaces: [
                interface(0, 0x0A), interface(1, 0x02, extra: [5, 0x24, 0x00, 0x10, 0x01, 5, 0x24, 0x06, 1, 0]),
                interface(2, 0x02), interface(3, 0x0A),
            ])
        let device = try DeviceDescriptor(parsing: CDCACMCircuit().descriptors.device)
        let found = USBSerialFunction.all(in: device, configuration)
        #expect(found.map(\.controlInterface) == [1, 2])
        #expect(found.map(\.dataInterface) == [0, 3])
    }

    @Test("a device of another kind has none; class descriptors that end early harm nobody")
    func none() throws {
        let reference = ReferenceCore().descriptors
        let device = try DeviceDescriptor(parsing: reference.device)
        let configuration = try ConfigurationDescriptor(parsing: reference.configuration)
        #expect(USBSerialFunction.all(in: device, configuration).isEmpty)
        var torn = configuration
        torn.interfaces[0].interfaceClass = 0x02
        torn.interfaces[0].subclass = 0x02
        for extra in [[], [0], [5], [5, 0x24, 0x06], [0, 0, 0], [3, 0x24, 0x06], [255, 0x24, 0x06, 0, 1]] as [[UInt8]] {
            torn.interfaces[0].extra = extra
            #expect(USBSerialFunction.all(in: device, torn).isEmpty)
        }
    }
}
