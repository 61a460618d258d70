import BERTLV
import Decoder
import Glibc
import SeededInput
import Testing

@Suite("Hostile input")
struct HostileDocumentTests {
    /// `make fuzz` sets the count to 1,000,000 and the seed to its own; both are printed.
    static let rounds = getenv("READERKIT_FUZZ_ROUNDS").flatMap { Int(String(cString: $0)) } ?? 5000
    static let seed = getenv("READERKIT_FUZZ_SEED").flatMap { UInt64(String(cString: $0)) } ?? 0x2025_1130

    @Test("mutated records never trap, and every problem has a place in the input")
    func mutated() {
        print("fuzz: \(Self.rounds) records, seed \(Self.seed)")
        var numbers = SeededNumbers(seed: Self.seed)
        let records = ([DecodedTranscriptTests.purchase] + DecodedTranscriptTests.responses).map { bytes($0) }
        var output = 0
        for round in 0..<Self.rounds {
            var record = records[Int.random(in: 0..<records.count, using: &numbers)]
            for _ in 0..<Int.random(in: 1...6, using: &numbers) {
                let place = Int.random(in: 0..<record.count, using: &numbers)
                switch Int.random(in: 0..<6, using: &numbers) {
                case 0 where record.count > 1: record.remove(at: place)
                case 1: record.insert(UInt8.random(in: 0...255, using: &numbers), at: place)
                case 2: record[place] = [0x00, 0xFF, 0x80, 0x7F, 0x81, 0x88][Int.random(in: 0..<6, using: &numbers)]
                default: record[place] = UInt8.random(in: 0...255, using: &numbers)
                }
            }
            let padding = TLVPadding.allCases[round % 3]
            let page = OutputPage { output += $0.count }
            var isRead = false
            let input = record
            let outcome = Decoder(
                format: round % 16 == 0 ? .ccid : .tlv, options: DecodeOptions(padding: padding, asJSON: round % 2 == 0)
            ).run(
                read: { (memory, _) throws(InputFailure) in
                    if isRead { return 0 }
                    isRead = true
                    memory.copyBytes(from: input)
                    return input.count
                }, page: page)
            if !outcome.problems.allSatisfy({ (0...input.count).contains($0.offset) }) {
                Issue.record("a problem outside the input, round \(round)")
            }
        }
        #expect(output > 0)
    }

    @Test("20,000 printable template tags are data, not bad hex")
    func printable() {
        let document = document(Array(repeating: UInt8(ascii: "p"), count: 20_000))
        #expect(!document.codes.contains("invalidDigit"))
        #expect(document.codes.contains("tooDeep") || document.codes.contains("valueTruncated"))
    }

    @Test("hex with a mistake in it is told as such")
    func mistake() {
        #expect(document(Array("9F260828C1B1AE0414D7G8B".utf8)).codes.contains("invalidDigit"))
    }

    @Test("200,000 empty objects: problems beyond a thousand are counted, not kept")
    func empties() {
        let input = [UInt8](unsafeUninitializedCapacity: 400_000) { buffer, count in
            for place in 0..<400_000 { buffer[place] = place % 2 == 0 ? 0x9C : 0x00 }
            count = 400_000
        }
        let document = document(input)
        #expect(document.codes.count == 1001)
        #expect(document.codes.last == "moreProblems")
    }

    @Test("an object larger than the limit is passed over, and what follows is read")
    func oversized() {
        let size = 3 << 20
        let large = bytes("DF01 83300000") + [UInt8](repeating: 0x55, count: size) + bytes("9C0120")
        let document = document(large)
        #expect(document.codes == ["lengthOverrun"])
        #expect(document.text.contains("refund"))
    }

    @Test("frames and logs of random bytes never trap", arguments: [InputFormat.ccid, .apdu, .auto])
    func random(_ format: InputFormat) {
        var numbers = SeededNumbers(seed: 11)
        for _ in 0..<300 {
            let input = (0..<Int.random(in: 0...80, using: &numbers)).map { _ in
                UInt8.random(in: 0...255, using: &numbers)
            }
            _ = document(input, format: format)
            _ = document(Array("> \(input.map(String.init).joined(separator: ":"))\n".utf8), format: format)
        }
    }
}
