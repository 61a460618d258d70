import ReaderWire
import Testing

/// The smart-card device class descriptor (CCID 1.1, 5.1).
@Suite struct CCIDClassDescriptorTests {
    /// One slot, all voltages, T=0 and T=1, extended APDU level, IFSD 254, messages of 271 bytes.
    static let extended = hex(
        """
        36 21 1001 00 07 03000000 A00F0000 A00F0000 00 80250000 80250000 00 FE000000 00000000 00000000 FE040400
        0F010000 FF FF 0000 00 01
        """)

    @Test("all fields are read")
    func fields() throws {
        let descriptor = try #require(CCIDClassDescriptor(parsing: Self.extended))
        #expect(Self.extended.count == CCIDClassDescriptor.length)
        #expect(descriptor.version == 0x0110)
        #expect(descriptor.slotCount == 1)
        #expect(descriptor.voltages == 7)
        #expect(descriptor.protocols == 3)
        #expect(descriptor.defaultClock == 4000)
        #expect(descriptor.dataRate == 9600)
        #expect(descriptor.maximumIFSD == 254)
        #expect(descriptor.exchangeLevel == .extendedAPDU)
        #expect(descriptor.maximumMessageLength == 271)
        #expect(descriptor.pinSupport == 0)
        #expect(descriptor.maximumBusySlots == 1)
    }

    @Test(
        "the exchange level is bits 16 to 18 of dwFeatures",
        arguments: [
            (UInt8(0x00), CCIDClassDescriptor.ExchangeLevel.character), (0x01, .tpdu), (0x02, .shortAPDU),
            (0x04, .extendedAPDU), (0x03, .character),
        ])
    func level(third: UInt8, expected: CCIDClassDescriptor.ExchangeLevel) throws {
        var bytes = Self.extended
        bytes[42] = third
        #expect(try #require(CCIDClassDescriptor(parsing: bytes)).exchangeLevel == expected)
    }

    @Test("it is found behind other descriptors, and a damaged list gives none")
    func find() {
        #expect(CCIDClassDescriptor.find(in: hex("0424AABB") + Self.extended)?.protocols == 3)
        #expect(CCIDClassDescriptor.find(in: hex("00")) == nil)
        #expect(CCIDClassDescriptor.find(in: hex("0124") + Self.extended) == nil)
        for cut in 0..<Self.extended.count {
            #expect(CCIDClassDescriptor.find(in: Array(Self.extended[..<cut])) == nil)
        }
    }
}
