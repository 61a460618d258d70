import SeededInput
import Testing
import Transport
import USBSerial

/// Divisors of USB-serial chips against Python's fractions: from 40 to 13 million baud, as many slow speeds as fast ones.
@Suite("Speeds of USB-serial chips", .judged) struct DivisorJudgeTests {
    private struct Case: Encodable {
        let chip: String
        let speeds: [UInt32]
    }

    private struct Answer: Decodable {
        let answers: [[UInt32]?]
    }

    private let judge = Judge(program: "divisors.py")

    private static func speeds() -> [UInt32] {
        var random = SeededNumbers(seed: 2026)
        // 40 * 2^18.3 is 13 million.
        let some = (0..<10_000).map { _ -> UInt32 in
            let octave = UInt32.random(in: 0..<18, using: &random)
            return UInt32.random(in: (40 << octave)...(UInt32(100) << octave), using: &random)
        }
        return some + [75, 300, 9600, 115_200, 921_600, 1_000_000, 1_500_000, 2_000_000, 3_000_000, 12_000_000]
    }

    /// The numbers of the requests and the rounded speed; nil when it is refused.
    private static func numbers(_ chip: String, _ speed: UInt32) throws -> [UInt32]? {
        let baud = try #require(BaudRate(speed))
        do throws(SerialChipRefusal) {
            switch chip {
            case "ch34x":
                let divisor = try CH34xDivisor(for: baud, on: chip)
                return [UInt32(divisor.clockAndDivisor), UInt32(divisor.fraction), divisor.rate.rounded.bitsPerSecond]
            case "pl2303":
                let rate = try PL2303Rate(for: baud, on: chip)
                return [rate.word, rate.rate.rounded.bitsPerSecond]
            case "cp210x":
                return [try CP210xChip(.cp2102).rate(baud).rounded.bitsPerSecond]
            default:
                let divisor = try FTDIDivisor(for: baud, hasFastClock: chip == "ftdi-fast", on: chip)
                return [UInt32(divisor.value), UInt32(divisor.index), divisor.rate.rounded.bitsPerSecond]
            }
        } catch {
            return nil
        }
    }

    @Test("10,000 speeds and the usual ones", arguments: ["ftdi", "ftdi-fast", "ch34x", "pl2303", "cp210x"])
    func divisors(chip: String) async throws {
        let speeds = Self.speeds()
        let answer = try #require(
            try await judge.answers(to: [Case(chip: chip, speeds: speeds)], as: Answer.self).first)
        try #require(answer.answers.count == speeds.count)
        var (made, refused) = (0, 0)
        for (speed, wanted) in zip(speeds, answer.answers) {
            let ours = try Self.numbers(chip, speed)
            #expect(ours == wanted, "\(speed) baud")
            if let rate = ours?.last {
                made += 1
                // The bound, on the speed that is told: half a baud is its rounding.
                let (error, bound) = (abs(Int(rate) - Int(speed)) * 100, Int(speed) * 3 + 50)
                #expect(error <= bound, "\(speed) baud")
            } else {
                refused += 1
            }
        }
        // Both happen, or this says nothing.
        #expect(made > 7000 && refused > 100)
    }
}
