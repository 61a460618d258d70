import Testing
import USBDescriptors
import USBSerial

@Suite("The table of chips")
struct SerialChipIdsTests {
    @Test("is sorted, and no ids are there twice")
    func order() {
        let ids = SerialChipIds.all.map { UInt32($0.vendorId) << 16 | UInt32($0.productId) }
        #expect(zip(ids, ids.dropFirst()).allSatisfy { $0 < $1 })
    }

    /// The ids of the public drivers that the chips were built from.
    @Test("has the ids of the documents, and no others")
    func documents() {
        let documented: [UInt16: [UInt16]] = [
            0x0403: [0x6001, 0x6010, 0x6011, 0x6014, 0x6015], 0x10C4: [0xEA60, 0xEA70, 0xEA71],
            0x1A86: [0x5523, 0x7523], 0x067B: [0x2303, 0x23A3, 0x23B3, 0x23C3, 0x23D3, 0x23E3, 0x23F3],
        ]
        #expect(Dictionary(grouping: SerialChipIds.all, by: \.vendorId).mapValues { $0.map(\.productId) } == documented)
    }

    @Test("each line makes a chip of its maker")
    func chips() throws {
        for ids in SerialChipIds.all {
            let device = DeviceDescriptor(
                usbVersion: 0x0200, deviceClass: 0, subclass: 0, deviceProtocol: 0, maxPacketSize0: 64,
                vendorId: ids.vendorId, productId: ids.productId, release: 0x0700, manufacturerIndex: 0,
                productIndex: 0,
                serialIndex: 0, configurationCount: 1)
            let pipes = [0x02, 0x81].map {
                EndpointDescriptor(address: $0, attributes: 2, maxPacketSize: 64, interval: 0)
            }
            let interface = InterfaceDescriptor(
                number: 0, alternateSetting: 0, interfaceClass: 0xFF, subclass: 0, interfaceProtocol: 0,
                endpoints: pipes, extra: [])
            let function = try #require(
                USBSerialFunction.all(
                    in: device,
                    ConfigurationDescriptor(value: 1, attributes: 0x80, maxPower: 50, interfaces: [interface])
                ).first)
            let maker = try #require(ids.name.split(separator: " ").first)
            #expect(function.chip.name.hasPrefix(maker), "\(ids.name)")
        }
    }
}
