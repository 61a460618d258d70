import ISO8583
import Testing

@Suite struct FramingTests {
    static let header: [UInt8] = [0x60, 0x00, 0x01, 0x00, 0x02]
    static let framings: [(MessageFraming?, String)] = [
        (MessageFraming(), "0003 010203"),
        (MessageFraming(prefix: .ascii4), "30303033 010203"),
        (MessageFraming(prefix: .bcd2), "0003 010203"),
        (MessageFraming(header: header), "0008 6000010002 010203"),
        (MessageFraming(header: header, lengthCountsHeader: false), "0003 6000010002 010203"),
        (MessageFraming(prefix: .ascii4, header: header), "30303038 6000010002 010203"),
        (MessageFraming(prefix: .bcd2, header: Array("ISO01".utf8)), "0008 49534F3031 010203"),
    ]

    @Test("a message is framed in these bytes, and read from them wherever they are split", arguments: framings)
    func splits(framing: MessageFraming?, text: String) throws {
        let framing = try #require(framing)
        let bytes = octets(text)
        #expect(framing.frame([1, 2, 3]) == bytes)
        for split in 0...bytes.count {
            var reader = FrameReader(framing)
            reader.append(Array(bytes[..<split]))
            let early = try reader.next()
            #expect((early != nil) == (split == bytes.count))
            #expect(reader.isInsideMessage == (split > 0 && split < bytes.count))
            reader.append(Array(bytes[split...]))
            let frame = try early ?? reader.next()
            #expect(frame == FrameReader.Frame(header: framing.header, message: [1, 2, 3]))
            #expect(try reader.next() == nil)
        }
    }

    @Test("glued messages come apart, byte by byte too, and empty ones between them are skipped", arguments: framings)
    func glued(framing: MessageFraming?, text: String) throws {
        let framing = try #require(framing)
        let empty: [UInt8] = framing.prefix == .ascii4 ? [0x30, 0x30, 0x30, 0x30] : [0, 0]
        let messages: [[UInt8]] = [[1], [2, 3], [UInt8](repeating: 4, count: 300)]
        let stream = messages.flatMap { (framing.frame($0) ?? []) + empty }
        var (whole, bytewise) = (FrameReader(framing), FrameReader(framing))
        whole.append(stream)
        var read: [[UInt8]] = []
        while let frame = try whole.next() { read.append(frame.message) }
        #expect(read == messages)
        read = []
        for byte in stream {
            bytewise.append([byte])
            while let frame = try bytewise.next() { read.append(frame.message) }
        }
        #expect(read == messages)
        #expect(!bytewise.isInsideMessage)
    }

    @Test("a length over the limit is a fault as soon as the prefix is there")
    func limit() throws {
        let framing = try #require(MessageFraming(limit: 100))
        #expect(framing.frame([UInt8](repeating: 0, count: 101)) == nil)
        #expect(framing.frame([]) == nil)
        var reader = FrameReader(framing)
        reader.append([0x00, 0x65])
        #expect(throws: FrameReader.Fault.length(101)) { _ = try reader.next() }
        reader = FrameReader(framing)
        reader.append([0xFF, 0xFF])
        #expect(throws: FrameReader.Fault.length(65_535)) { _ = try reader.next() }
    }

    @Test("a prefix that is no number, and a length without room for the header, are faults")
    func faults() throws {
        var reader = FrameReader(try #require(MessageFraming(prefix: .ascii4)))
        reader.append(Array("00x1".utf8))
        #expect(throws: FrameReader.Fault.prefix) { _ = try reader.next() }
        reader = FrameReader(try #require(MessageFraming(prefix: .bcd2)))
        reader.append([0x0A, 0x00])
        #expect(throws: FrameReader.Fault.prefix) { _ = try reader.next() }
        reader = FrameReader(try #require(MessageFraming(header: Self.header)))
        reader.append([0x00, 0x05])
        #expect(throws: FrameReader.Fault.length(5)) { _ = try reader.next() }
    }

    @Test("an answer carries the addresses of its question exchanged, when they are addresses")
    func addresses() throws {
        let tpdu = try #require(MessageFraming(header: Self.header, swapsAddresses: true))
        #expect(tpdu.frame([9], answering: [0x60, 0x12, 0x34, 0x56, 0x78]) == octets("0006 6056781234 09"))
        let plain = try #require(MessageFraming(header: Self.header))
        #expect(plain.frame([9], answering: [0x60, 0x12, 0x34, 0x56, 0x78]) == octets("0006 6012345678 09"))
    }

    @Test("framings that cannot be are refused")
    func refused() {
        #expect(MessageFraming(header: [UInt8](repeating: 0, count: 33)) == nil)
        #expect(MessageFraming(header: [0x60], swapsAddresses: true) == nil)
        #expect(MessageFraming(limit: 0) == nil)
        #expect(MessageFraming(prefix: .ascii4, limit: 10_000) == nil)
    }
}
