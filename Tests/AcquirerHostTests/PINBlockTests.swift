import Crypto
import EMV
import Gateways
import ISO8583
import Money
import Testing

/// An enciphered PIN on its way from a pad to the host: fields 52, 53 and 120.
@Suite struct PINBlockTests {
    private static let eight: [UInt8] = [0x14, 0x0A, 0x6B, 0xC3, 0x9D, 0x55, 0xE2, 0x71]

    private static func block(
        _ bytes: [UInt8] = eight, _ format: PINBlock.Format = .iso0, _ key: PINBlock.Key = .zone(index: 3)
    ) -> PINBlock? {
        PINBlock(enciphered: SecretBytes(bytes), format: format, key: key)
    }

    @Test("a block and its key's name have the lengths of their kind")
    func lengths() {
        let sixteen = Self.eight + Self.eight
        let (ten, twelve) = ([UInt8](repeating: 1, count: 10), [UInt8](repeating: 1, count: 12))
        #expect(Self.block() != nil && Self.block(Self.eight, .iso3) != nil)
        #expect(Self.block(sixteen, .iso4, .derived(serialNumber: twelve)) != nil)
        #expect(Self.block(Self.eight, .iso0, .derived(serialNumber: ten)) != nil)
        #expect(Self.block([], .iso0) == nil && Self.block(sixteen, .iso0) == nil)
        #expect(Self.block(Self.eight, .iso4) == nil)
        #expect(Self.block(Self.eight, .iso0, .derived(serialNumber: twelve)) == nil)
        #expect(Self.block(sixteen, .iso4, .derived(serialNumber: ten)) == nil)
        #expect(Self.block(Self.eight, .iso0, .zone(index: 100)) == nil)
        #expect(Self.block(Self.eight, .iso0, .zone(index: -1)) == nil)
    }

    @Test("it cannot print itself, nor can a request or a message that carries it")
    func silent() throws {
        let block = try #require(Self.block())
        var message = Message(.financialRequest)
        PINFields.write(block, to: &message)
        let request = try sale("s1", pinBlock: block)
        var dumped = ""
        dump(block, to: &dumped)
        dump(request, to: &dumped)
        dump(message, to: &dumped)
        let texts = [
            "\(block)", String(reflecting: block), "\(request)", String(reflecting: request), "\(message)", dumped,
        ]
        for text in texts {
            for secret in ["140A6BC39D55E271", "20, 10, 107", "14 0A"] { #expect(!text.contains(secret)) }
        }
    }

    @Test("the fields are these, and are read back")
    func fields() throws {
        let ksn: [UInt8] = [0xFF, 0xFF, 0x98, 0x76, 0x54, 0x32, 0x10, 0xE0, 0x00, 0x01]
        let aes: [UInt8] = [0x12, 0x34, 0x56, 0x78, 0x90, 0x12, 0x34, 0x56, 0, 0, 0, 1]
        let cases: [(PINBlock?, String, String?)] = [
            (Self.block(), "0100030000000000", nil),
            (Self.block(Self.eight, .iso3, .zone(index: 99)), "0103990000000000", nil),
            (Self.block(Self.eight, .iso0, .derived(serialNumber: ksn)), "0100000000000000", "KSNFFFF9876543210E00001"),
            (
                Self.block(Self.eight + Self.eight, .iso4, .derived(serialNumber: aes)), "0204000000000000",
                "KSN123456789012345600000001"
            ),
        ]
        for (block, control, serial) in cases {
            let block = try #require(block)
            var message = Message(.financialRequest)
            PINFields.write(block, to: &message)
            #expect(message.bytes(52)?.starts(with: Self.eight) == true)
            #expect(message.text(53) == control && message.text(120) == serial)
            guard case .block(let read) = PINFields.read(message) else {
                Issue.record("not read: \(control)")
                continue
            }
            #expect(read.format == block.format && read.key == block.key)
        }
    }

    @Test(
        "fields that are missing or contradict each other are malformed",
        arguments: [
            "0300030000000000", "0102030000000000", "0204030000000000", "0100030000000001", "010003",
            "01000X0000000000", "",
        ])
    func malformed(control: String) throws {
        var message = Message(.financialRequest)
        message.set(52, Self.eight)
        if !control.isEmpty { message.set(53, control) }
        guard case .malformed = PINFields.read(message) else {
            Issue.record("'\(control)' was read")
            return
        }
        message[52] = nil
        if case .absent = PINFields.read(message) { #expect(control.isEmpty) }
    }

    @Test("a host takes a sale with a PIN over every profile", arguments: ["ascii", "binary", "bcd", "ebcdic"])
    func sent(profile: String) async throws {
        let bed = try HostBed(HostBed.Line(profile: profile))
        let answer = try await bed.gateway.authorise(
            sale("s1", pinBlock: Self.block()), until: bed.soon())
        #expect(answer.responseCode == .approved)
        await bed.close()
    }

    @Test("a profile whose field 52 has eight bytes has no place for sixteen: nothing is sent")
    func noPlace() async throws {
        let bed = try HostBed(HostBed.Line())
        let block = Self.block(Self.eight + Self.eight, .iso4, .derived(serialNumber: [UInt8](repeating: 1, count: 12)))
        let error = await #expect(throws: GatewayError.self) {
            try await bed.gateway.authorise(sale("s1", pinBlock: block), until: bed.soon())
        }
        #expect(error?.moneyMayHaveMoved == false)
        #expect(bed.simulator.entries.isEmpty)
        await bed.close()
    }
}
