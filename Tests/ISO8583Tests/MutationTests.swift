import Foundation
import ISO8583
import SeededInput
import Testing

/// Messages with damage. READERKIT_FUZZ_ROUNDS says how many in all, READERKIT_FUZZ_SEED which.
@Suite struct MutationTests {
    private static let rounds = variable("READERKIT_FUZZ_ROUNDS").flatMap(Int.init) ?? 20_000
    private static let seed = variable("READERKIT_FUZZ_SEED").flatMap { UInt64($0) } ?? 8583

    private static func variable(_ name: String) -> String? {
        ProcessInfo.processInfo.environment[name]
    }

    @Test(
        "damage never traps, and what is still read is written as it can be read again", arguments: Profile.builtInNames
    )
    func mutated(name: String) throws {
        print("mutated messages, profile \(name): seed \(Self.seed)")
        var numbers = SeededNumbers(seed: Self.seed)
        let codec = MessageCodec(try #require(try Profile.builtIn(name)))
        let originals = try (0..<200).map { _ in try codec.encode(SampleMessage.part(using: &numbers)) }
        var survivors = 0
        for _ in 0..<Self.rounds / Profile.builtInNames.count {
            let original = originals[Int.random(in: 0..<originals.count, using: &numbers)]
            guard let message = try? codec.decode(Self.damaged(original, &numbers)) else { continue }
            survivors += 1
            #expect(try codec.decode(codec.encode(message)) == message)
        }
        #expect(survivors > 0)
    }

    private static func damaged(_ bytes: [UInt8], _ numbers: inout SeededNumbers) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...3, using: &numbers) where !bytes.isEmpty {
            let place = Int.random(in: 0..<bytes.count, using: &numbers)
            switch Int.random(in: 0..<5, using: &numbers) {
            case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &numbers)
            case 1: bytes[place] = UInt8.random(in: .min ... .max, using: &numbers)
            case 2: bytes.removeSubrange(place...)
            case 3: bytes.insert(UInt8.random(in: .min ... .max, using: &numbers), at: place)
            default: bytes.remove(at: place)
            }
        }
        return bytes
    }

    @Test("every beginning of a message is refused as too short, at every profile", arguments: Profile.builtInNames)
    func beginnings(name: String) throws {
        var numbers = SeededNumbers(seed: 1)
        let codec = MessageCodec(try #require(try Profile.builtIn(name)))
        let bytes = try codec.encode(SampleMessage.part(using: &numbers))
        for count in bytes.indices {
            let error = #expect(throws: ISO8583Error.self) { _ = try codec.decode(Array(bytes.prefix(count))) }
            #expect(error?.code == .tooShort)
            #expect((error?.offset ?? .max) <= count)
        }
    }
}
