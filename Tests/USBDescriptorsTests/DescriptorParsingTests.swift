import Testing
import USBDescriptors

@Suite("USB descriptors")
struct DescriptorParsingTests {
    @Test("a CCID reader's descriptors are read in full")
    func reader() throws {
        let set = try DescriptorSet(parsing: SampleDescriptors.all)
        #expect(set.device.vendorId == 0x08E6)
        #expect(set.device.productId == 0x3437)
        #expect(set.device.usbVersion == 0x0200)
        #expect(set.device.release == 0x0200)
        #expect(set.device.serialIndex == 0)
        let configuration = try #require(set.configurations.first)
        #expect(configuration.value == 1)
        #expect(configuration.maxPower == 50)
        let interface = try #require(configuration.interfaces.first)
        #expect(interface.interfaceClass == 0x0B)
        #expect(interface.classDescriptor(type: 0x21) == SampleDescriptors.ccid)
        #expect(interface.classDescriptor(type: 0x22) == nil)
        #expect(interface.endpoints.map(\.address) == [0x02, 0x82, 0x83])
        #expect(interface.endpoint(.bulk, isIn: true)?.maxPacketSize == 64)
        #expect(interface.endpoint(.interrupt, isIn: true)?.interval == 24)
        #expect(interface.endpoint(.interrupt, isIn: false) == nil)
    }

    @Test("a class descriptor behind an endpoint is found too")
    func behindEndpoint() throws {
        let bytes: [UInt8] =
            [9, 0x02, 31, 0, 1, 1, 0, 0x80, 50, 9, 0x04, 0, 0, 1, 0x0B, 0, 0, 0, 7, 0x05, 0x81, 0x02, 64, 0, 0]
            + [6, 0x21, 1, 2, 3, 4]
        let configuration = try ConfigurationDescriptor(parsing: bytes)
        #expect(configuration.interfaces.first?.classDescriptor(type: 0x21) == [6, 0x21, 1, 2, 3, 4])
    }

    @Test("what comes before the first interface belongs to the configuration")
    func association() throws {
        let bytes: [UInt8] = [
            9, 0x02, 26, 0, 1, 1, 0, 0x80, 50, 8, 0x0B, 0, 2, 2, 2, 1, 0, 9, 0x04, 0, 0, 0, 2, 2, 1, 0,
        ]
        let configuration = try ConfigurationDescriptor(parsing: bytes)
        #expect(configuration.extra == [8, 0x0B, 0, 2, 2, 2, 1, 0])
        #expect(configuration.interfaces.count == 1)
    }

    @Test("every cut is refused, except at the end of the device descriptor")
    func cuts() {
        for count in 0..<SampleDescriptors.all.count {
            let bytes = Array(SampleDescriptors.all.prefix(count))
            if count == 18 {
                #expect(throws: Never.self) { try DescriptorSet(parsing: bytes) }
            } else {
                #expect(throws: DescriptorError.self, "cut at \(count)") { try DescriptorSet(parsing: bytes) }
            }
        }
    }

    @Test(
        "what cannot be is refused by name",
        arguments: [
            ([9, 0x02, 11, 0, 1, 1, 0, 0, 0, 0, 4], DescriptorError.badLength(at: 9)),
            ([9, 0x02, 11, 0, 1, 1, 0, 0, 0, 3, 4], .badLength(at: 9)),
            ([9, 0x02, 8, 0, 1, 1, 0, 0, 0], .badLength(at: 2)),
            ([8, 0x02, 9, 0, 1, 1, 0, 0, 0], .badLength(at: 0)),
            ([9, 0x05, 9, 0, 1, 1, 0, 0, 0], .unexpectedType(5, at: 1)),
            ([9, 0x02, 10, 0, 1, 1, 0, 0, 0], .truncated(at: 9)),
            ([9, 0x02, 16, 0, 1, 1, 0, 0, 0, 7, 5, 0x81, 2, 64, 0, 0], .unexpectedType(5, at: 10)),
        ] as [([UInt8], DescriptorError)])
    func refusals(bytes: [UInt8], expected: DescriptorError) {
        #expect(throws: expected) { try ConfigurationDescriptor(parsing: bytes) }
    }

    @Test(
        "string descriptors give their text, cut where the length lies",
        arguments: [
            ([6, 3, 0x41, 0, 0xE9, 0], "Aé"), ([2, 3], ""), ([200, 3, 0x41, 0], "A"), ([5, 3, 0x41, 0, 0x42], "A"),
            ([4, 2, 0x41, 0], nil), ([3], nil), ([], nil), ([1, 3], nil),
        ] as [([UInt8], String?)])
    func strings(bytes: [UInt8], expected: String?) {
        #expect(StringDescriptor.text(bytes) == expected)
    }
}
