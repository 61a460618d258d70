import ISO8583
import Testing

/// Given bytes, expect bytes, both ways.
@Suite struct CodecVectorTests {
    /// The example in pyiso8583's documentation of `decode`.
    @Test func publishedExample() throws {
        let bytes = Array("02004010100000000000161234567890123456123456111".utf8)
        let message = try MessageCodec(.ascii).decode(bytes)
        var expected = Message(.financialRequest)
        expected.set(2, "1234567890123456")
        expected.set(12, "123456")
        expected.set(20, "111")
        #expect(message == expected)
        #expect(try MessageCodec(.ascii).encode(expected) == bytes)
    }

    private static func sample() -> Message {
        var message = Message(.reversalAdvice)
        message.set(2, "6799998900000060018")
        message.set(3, "000000")
        message.set(22, "051")
        message.set(35, "4761739001010119=2512")
        message.set(41, "KIOSK001")
        message.set(55, octets("9F3602002A"))
        message.set(90, "020000012311301200000000000000000000000000")
        return message
    }

    /// The sample by the words of the standard, written out by hand. The test takes it by name: the runner prints a test's
    /// arguments, and packed digits would stand there as a card number.
    static let sampleBytes: [String: String] = [
        "ascii":
            // type, both bitmaps in hex
            "30343230 45303030303430303230383030323030 30303030303034303030303030303030"
            // 2 of 19 digits, 3, 22
            + "3139 36373939393938393030303030303630303138 303030303030 303531"
            // 35 of 21, 41
            + "3231 343736313733393030313031303131393D32353132 4B494F534B303031"
            // 55: ten hexadecimal digits
            + "303130 39463336303230303241"
            // 90
            + "303230303030303132333131333031323030303030303030303030303030303030303030303030303030",
        "binary":
            "30343230 E000040020800200 0000004000000000"
            + "13 36373939393938393030303030303630303138 303030303030 303531"
            + "15 343736313733393030313031303131393D32353132 4B494F534B303031"
            + "0005 9F3602002A"
            + "303230303030303132333131333031323030303030303030303030303030303030303030303030303030",
        "bcd":
            "0420 E000040020800200 0000004000000000"
            // 19 digits and a zero before them
            + "19 06799998900000060018 000000 0051"
            + "21 04761739001010119D2512 4B494F534B303031"
            + "0005 9F3602002A"
            + "020000012311301200000000000000000000000000",
        "ebcdic":
            "F0F4F2F0 E000040020800200 0000004000000000"
            + "F1F9 F6F7F9F9F9F9F8F9F0F0F0F0F0F0F6F0F0F1F8 F0F0F0F0F0F0 F0F5F1"
            + "F2F1 F4F7F6F1F7F3F9F0F0F1F0F1F0F1F1F97EF2F5F1F2 D2C9D6E2D2F0F0F1"
            + "F0F0F5 9F3602002A"
            + "F0F2F0F0F0F0F0F1F2F3F1F1F3F0F1F2F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0",
    ]

    @Test("every profile encodes and decodes the same message in its own bytes", arguments: sampleBytes.keys.sorted())
    func samples(profile: String) throws {
        let codec = MessageCodec(try #require(try Profile.builtIn(profile)))
        let bytes = octets(try #require(Self.sampleBytes[profile]))
        #expect(try codec.encode(Self.sample()) == bytes)
        #expect(try codec.decode(bytes) == Self.sample())
    }

    @Test("the layout tells where each field's content is")
    func layout() throws {
        let codec = MessageCodec(try .bcd)
        let encoded = try codec.encodeWithLayout(Self.sample())
        #expect(encoded.layout[2] == 19..<29)
        #expect(encoded.layout[55] == 56..<61)
        #expect(encoded.layout[90] == 61..<82)
        #expect(try codec.decodeWithLayout(encoded.bytes).layout == encoded.layout)
    }

    @Test("an odd number of digits is filled as the profile says", arguments: ["right-0", "right-F", "left-0"])
    func filler(name: String) throws {
        let json = """
            {"name": "odd", "messageType": "bcd", "bitmap": "binary", "number": "bcd", "track": "bcd", "text": "ascii",
             "binary": "binary", "length": "bcd", "filler": "\(name)"}
            """
        let codec = MessageCodec(try Profile(json: Array(json.utf8)))
        var message = Message(.networkManagementRequest)
        message.set(70, "301")
        let content = ["right-0": "3010", "right-F": "301F", "left-0": "0301"][name] ?? ""
        let bytes = octets("0800 8000000000000000 0400000000000000" + content)
        #expect(try codec.encode(message) == bytes)
        #expect(try codec.decode(bytes) == message)
        #expect(throws: ISO8583Error(.filler, field: 70, offset: 18)) {
            _ = try codec.decode(octets("0800 8000000000000000 0400000000000000 7017"))
        }
    }

    @Test("field 55 in the packagings of the networks, at the edges of their lengths", arguments: [127, 128, 254, 255])
    func chipData(count: Int) throws {
        let data = [UInt8](repeating: 0xA5, count: count)
        func field55(_ entry: String) throws -> [UInt8] {
            let json = """
                {"name": "chip", "messageType": "ascii", "bitmap": "binary", "number": "ascii", "track": "ascii",
                 "text": "ascii", "binary": "binary", "length": "ascii", "filler": "left-0",
                 "fields": {"55": \(entry)}}
                """
            let codec = MessageCodec(try Profile(json: Array(json.utf8)))
            var message = Message(.financialRequest)
            message.set(55, data)
            let bytes = try codec.encode(message)
            #expect(try codec.decode(bytes) == message)
            return Array(bytes.dropFirst(12))
        }
        func digits(_ number: Int, _ zero: UInt8) -> [UInt8] {
            [number / 100, number / 10 % 10, number % 10].map { zero + UInt8($0) }
        }
        let hex = data.flatMap { _ in Array("A5".utf8) }
        #expect(try field55(#"{"length": "ascii"}"#) == digits(count, 0x30) + data)
        #expect(try field55(#"{"encoding": "hex"}"#) == digits(count * 2, 0x30) + hex)
        #expect(try field55(#"{"length": "binary"}"#) == [0, UInt8(count)] + data)
        #expect(try field55(#"{"format": "b..255", "length": "binary"}"#) == [UInt8(count)] + data)
        #expect(try field55(#"{"length": "ebcdic"}"#) == digits(count, 0xF0) + data)
        #expect(
            try field55(#"{"length": "bcd"}"#) == [UInt8(count / 100), UInt8((count / 10 % 10) << 4 | count % 10)]
                + data)
    }

    @Test("message types know their answers and repeats")
    func messageTypes() {
        let pairs: [(MessageType, MessageType)] = [
            (.authorisationRequest, .authorisationResponse), (.financialRequest, .financialResponse),
            (.financialAdvice, .financialAdviceResponse), (.reversalRequest, .reversalResponse),
            (.reversalAdvice, .reversalAdviceResponse), (.reconciliationRequest, .reconciliationResponse),
            (.networkManagementRequest, .networkManagementResponse),
        ]
        for (request, response) in pairs {
            #expect(request.response == response)
            #expect(request.repeated.response == response)
            #expect(request.repeated.first == request)
            #expect(request.repeated.isRepeat && !request.isRepeat)
            #expect(response.response == nil)
        }
        #expect(MessageType.reversalAdvice.repeated.text == "0421")
        for wrong in ["", "020", "02000", "02x0", "٠٢٠٠"] { #expect(MessageType(wrong) == nil) }
    }
}
