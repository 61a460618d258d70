import BERTLV
import Crypto
import EMV
import Glibc
import SeededInput
import Testing

/// Whatever a card, a cardholder and a host say, the kernel ends, and soon. `READERKIT_FUZZ` is the number of dialogues,
/// `READERKIT_FUZZ_SEED` the first seed: a failure names the seed with which it comes again.
@Suite struct MutatedTranscriptTests {
    private static let rounds = getenv("READERKIT_FUZZ").flatMap { Int(String(cString: $0)) } ?? 3000
    private static let firstSeed = getenv("READERKIT_FUZZ_SEED").flatMap { UInt64(String(cString: $0)) } ?? 0

    /// More than any of these cards can ask for: one record of 255 files, each once, and the selection.
    private static let mostSteps = 20_000

    /// One to four changes: a byte, a bit, a cut, a repeat, an answer left out or exchanged. One in sixteen stays whole.
    private static func mutated(_ dialogue: [[UInt8]], by numbers: inout SeededNumbers) -> [ResponseAPDU] {
        var answers = dialogue
        let changes = Int.random(in: 0..<16, using: &numbers) == 0 ? 0 : Int.random(in: 1...4, using: &numbers)
        for _ in 0..<changes {
            let line = Int.random(in: answers.indices, using: &numbers)
            answers[line] = mutated(answers[line], by: &numbers)
            switch Int.random(in: 0..<6, using: &numbers) {
            case 0: answers.swapAt(line, Int.random(in: answers.indices, using: &numbers))
            case 1: answers.insert(answers[line], at: line)
            case 2 where answers.count > 1: answers.remove(at: line)
            default: break
            }
        }
        return answers.map { ResponseAPDU(bytes: $0) ?? ResponseAPDU(status: StatusWord(0x6F00)) }
    }

    private static func mutated(_ answer: [UInt8], by numbers: inout SeededNumbers) -> [UInt8] {
        var answer = answer
        let place = Int.random(in: 0..<max(1, answer.count), using: &numbers)
        switch Int.random(in: 0..<6, using: &numbers) {
        case 0 where !answer.isEmpty: answer[place] = UInt8.random(in: 0...255, using: &numbers)
        case 1 where !answer.isEmpty: answer[place] ^= 1 << UInt8.random(in: 0..<8, using: &numbers)
        case 2: answer.removeFirst(min(place, answer.count))
        case 3: answer.removeLast(min(place, answer.count))
        case 4: answer.insert(contentsOf: answer.prefix(20), at: min(place, answer.count))
        default: break
        }
        return answer
    }

    private static func hostAnswer(_ data: [UInt8], _ numbers: inout SeededNumbers) -> HostAnswer {
        let noise = (0..<Int.random(in: 0..<40, using: &numbers)).map { _ in UInt8.random(in: 0...255, using: &numbers)
        }
        let issuerData: [UInt8]
        switch Int.random(in: 0..<5, using: &numbers) {
        case 0: return .unableToGoOnline
        case 1: issuerData = [0x91, UInt8(noise.count)] + noise
        case 2: issuerData = mutated(data, by: &numbers) + noise
        case 3: issuerData = mutated(mutated(data, by: &numbers), by: &numbers)
        default: issuerData = data
        }
        return .answered(
            responseCode: Array("00".utf8), isApproved: Int.random(in: 0..<4, using: &numbers) != 0,
            issuerData: issuerData)
    }

    private static func pinAnswer(_ numbers: inout SeededNumbers) -> PINAnswer {
        switch Int.random(in: 0..<12, using: &numbers) {
        case 0: .cancelled
        case 1: .bypassed
        case 2: .padFailed
        case 3: .captured
        case 4: .verified(StatusWord(0x63C0 | UInt16.random(in: 0...15, using: &numbers)))
        case 5: .verified(.success)
        case 6: .block(SecretBytes(bytes("2412")))
        default: .block(SecretBytes(bytes("241234FFFFFFFFFF")))
        }
    }

    /// Answers in turn; when there are no more, the last ones again and again. Nil when there was no end.
    private static func run(
        _ answers: [ResponseAPDU], _ dialogue: FuzzedDialogue, _ numbers: inout SeededNumbers
    ) -> (kernel: ContactKernel, outcome: KernelOutcome)? {
        var kernel = ContactKernel(terminal: dialogue.terminal, transaction: dialogue.transaction)
        var step = kernel.start()
        var count = 0
        for _ in 0..<mostSteps {
            switch step {
            case .transmit:
                let isLeft = count < answers.count
                step = kernel.receive(answers[isLeft ? count : max(0, answers.count - 1 - count % 3)])
                count += 1
            case .chooseApplication(let candidates):
                let index = Int.random(in: -1...candidates.count, using: &numbers)
                step = kernel.applicationChosen(index < 0 ? nil : index)
            case .askForPIN: step = kernel.pinAnswered(pinAnswer(&numbers))
            case .approveOffline: step = kernel.offlineApprovalAnswered(Bool.random(using: &numbers))
            case .goOnline:
                #expect(
                    dialogue.terminal.terminalType.connection != .offlineOnly, "a terminal without a line goes online")
                step = kernel.hostAnswered(hostAnswer(dialogue.issuerData, &numbers))
            case .finished(let outcome): return (kernel, outcome)
            }
        }
        return nil
    }

    private static func name(_ outcome: KernelOutcome) -> String {
        String("\(outcome)".prefix(while: { $0.isLetter }))
    }

    @Test("damaged dialogues end, and only a TC approves")
    func mutations() throws {
        let dialogues = try FuzzedDialogue.all()
        var outcomes: Set<String> = []
        for round in 0..<UInt64(max(0, Self.rounds)) {
            let seed = Self.firstSeed &+ round
            var numbers = SeededNumbers(seed: seed)
            let dialogue = dialogues[Int(seed % UInt64(dialogues.count))]
            let answers = Self.mutated(dialogue.answers, by: &numbers)
            guard let (kernel, outcome) = Self.run(answers, dialogue, &numbers) else {
                Issue.record("no end: READERKIT_FUZZ_SEED=\(seed)")
                continue
            }
            outcomes.insert(Self.name(outcome))
            switch outcome {
            case .approved, .approvedOffline:
                let information = kernel.value(of: 0x9F27)?.first.map { $0 & 0xC0 }
                #expect(information == 0x40, "approved without a TC: READERKIT_FUZZ_SEED=\(seed)")
            default: break
            }
        }
        guard Self.rounds >= 3000 else { return }
        // The damage must reach every stage, or it proves nothing.
        let expected: Set = [
            "approved", "approvedOffline", "cancelledByCardholder", "cardError", "declinedByCardAfterApproval",
            "declinedByIssuer", "declinedOffline", "declinedUnableToGoOnline", "notAccepted",
        ]
        #expect(outcomes == expected)
    }

    @Test("dialogues of random answers end")
    func noise() throws {
        let dialogues = try FuzzedDialogue.all()
        for round in 0..<UInt64(max(0, Self.rounds)) {
            let seed = Self.firstSeed &+ round
            var numbers = SeededNumbers(seed: seed &+ 1_000_000)
            let answers = (0..<12).map { _ in
                let count = Int.random(in: 0..<24, using: &numbers)
                return ResponseAPDU(
                    data: (0..<count).map { _ in UInt8.random(in: 0...255, using: &numbers) },
                    status: Bool.random(using: &numbers) ? .success : StatusWord(0x6A82))
            }
            let dialogue = dialogues[Int(seed % UInt64(dialogues.count))]
            #expect(
                Self.run(answers, dialogue, &numbers) != nil, "no end: READERKIT_FUZZ_SEED=\(seed)")
        }
    }
}
