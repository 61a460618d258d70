import Foundation
import Gateways
import Ledger
import Money
import Testing

@testable import Payments

/// A complete sale with every fault at every command: it always ends, and ledger and issuer always agree.
struct FaultMatrixTests {
    private static let fatal = [
        "unplug-before", "unplug-after", "unplug-half", "silent", "stall", "short", "wrong-seq", "garbage-before",
        "oversized", "bad-status", "card-removed", "reboot",
    ]

    /// What the protocol allows, or what a sound driver overlooks.
    private static let tolerated = ["stale", "twice", "glued", "time-extension 20", "late 2000", "storm"]

    /// The longest that a reader's trouble may take, in virtual time: its answer, an ABORT, the power off with another.
    private static let longestTrouble = Duration.seconds(10)
    /// Nobody puts the card back.
    private static let cardTimeout = Duration.seconds(60)

    /// The commands of a sale without trouble, and how many of them come before the issuer is asked.
    private func cleanSale(_ bench: MatrixBench) async throws -> (frames: Int, beforeIssuer: Int) {
        let counter = FrameCounter()
        let before = bench.frames
        let result = try await bench.sale { if $0 == .authorising { counter.note(bench.frames) } }
        #expect(result.response.outcome == .approved)
        return (bench.frames - before, counter.noted - before)
    }

    @Test(arguments: MatrixDialogue.all)
    func `every fault at every command ends in the truth`(dialogue: MatrixDialogue) async throws {
        let bench = try await MatrixBench(dialogue)
        let clean = try await cleanSale(bench)
        try #require(clean.frames > 8 && clean.beforeIssuer > 4 && clean.beforeIssuer < clean.frames - 1)
        var tally: [String: Int] = [:]
        for fault in Self.fatal {
            for frame in 1...clean.frames {
                let run = try await MatrixRun.sale(on: bench, fault: fault, at: frame)
                let state = try await run.check()
                tally[state?.rawValue ?? "not started", default: 0] += 1
                #expect(run.reachedIssuer == (frame > clean.beforeIssuer), run.what)
                #expect(run.result.response.statusInfo == Self.statusInfo(state), run.what)
                if frame > clean.beforeIssuer {
                    // The last command is the power off, after which nothing can change any more.
                    #expect(state == (frame == clean.frames ? .approved : .reversed), run.what)
                }
                let waits = state == .expired ? Self.cardTimeout : .zero
                #expect(run.duration <= Self.longestTrouble + waits, run.what)
                try await checkNextSale(bench, after: run)
            }
        }
        for fault in Self.tolerated {
            for frame in 1...clean.frames {
                let run = try await MatrixRun.sale(on: bench, fault: fault, at: frame)
                #expect(try await run.check() == .approved, run.what)
                tally["tolerated", default: 0] += 1
            }
        }
        try await checkNoCardNumber(bench)
        let summary = tally.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
        print(
            "fault matrix, \(dialogue.testDescription): \(clean.frames) commands, \(clean.beforeIssuer) before the "
                + "issuer; \(summary)")
        await bench.ledger.close()
    }

    @Test(arguments: MatrixDialogue.all)
    func `a cancel at every command ends in cancelled or in the truth`(dialogue: MatrixDialogue) async throws {
        let bench = try await MatrixBench(dialogue)
        let clean = try await cleanSale(bench)
        for moment in MatrixCancel.Moment.allCases {
            for frame in 1...clean.frames {
                let run = try await MatrixCancel.sale(on: bench, at: frame, moment)
                let state = try await run.check()
                let isTooLate = frame > clean.beforeIssuer
                #expect(run.reachedIssuer == isTooLate, run.what)
                #expect(run.result.response.outcome == (isTooLate ? .approved : .cancelled), run.what)
                #expect(state == nil || state == (isTooLate ? .approved : .cancelled), run.what)
                #expect(run.duration <= .seconds(1), run.what)
                try await checkNextSale(bench, after: run)
            }
        }
        try await checkNoCardNumber(bench)
        await bench.ledger.close()
    }

    /// The issuer has booked, the card's second answer is lost, and the reversal finds nobody.
    @Test(arguments: MatrixDialogue.all)
    func `a reversal that cannot be delivered stays owed`(dialogue: MatrixDialogue) async throws {
        let bench = try await MatrixBench(dialogue, losesReversals: true)
        let clean = try await cleanSale(bench)
        var unknown = Int64(0)
        for fault in ["unplug-after", "silent", "card-removed"] {
            for frame in (clean.beforeIssuer + 1)..<clean.frames {
                let run = try await MatrixRun.sale(on: bench, fault: fault, at: frame)
                bench.restore()
                unknown += MatrixBench.amount
                #expect(run.result.response.outcome == .unknown, run.what)
                #expect(run.result.response.statusInfo == .unknown, run.what)
                let id = try #require(run.id, run.what)
                #expect(try await bench.ledger.transaction(id).state == PaymentState.unknown.name, run.what)
                let last = try #require(try await bench.ledger.journal(of: id).last, run.what)
                #expect(last.to == PaymentState.unknown.name, run.what)
                #expect(last.detail?.hasPrefix("reversal owed: ") == true, run.what)
            }
        }
        // Every unknown payment is money that the issuer has booked and the merchant does not count on.
        #expect(bench.issuer.bookedTotal(in: .mxn) == MatrixBench.amount + unknown)
        await bench.ledger.close()
    }

    @Test(arguments: PaymentProgress.ofInsertedCards)
    func `from the question to the issuer on a cancel is too late`(step: PaymentProgress) async throws {
        let bench = try await MatrixBench(MatrixDialogue(card: "visa-credit", level: "extended"))
        let run = try await MatrixCancel.sale(on: bench, at: step)
        let isTooLate = step == .authorising || step == .removeCard
        #expect(try await run.check() == (isTooLate ? .approved : .cancelled))
        await bench.ledger.close()
    }

    /// What the caller is told when the reader or its cable is at fault, by how the sale ended.
    private static func statusInfo(_ state: PaymentState?) -> StatusInfo {
        switch state {
        case nil: .readerUnusable
        case .expired: .expired
        case .cancelled: .cardRemoved
        case .reversed: .reversed
        case .approved: .none
        default: .readerLost
        }
    }

    private func checkNextSale(_ bench: MatrixBench, after run: MatrixRun) async throws {
        bench.restore()
        let next = MatrixRun(
            bench: bench, result: try await bench.sale(), what: "the sale after \(run.what)", duration: .zero)
        #expect(try await next.check() == .approved, next.what)
    }

    /// Nothing that was said or written holds an account number.
    private func checkNoCardNumber(_ bench: MatrixBench) async throws {
        let strings = bench.strings
        #expect(strings.count > 100)
        for string in strings where CardNumberScan.finds(in: string) {
            Issue.record("an account number in a text of \(string.utf8.count) characters")
        }
        let files = try bench.directory.contents()
        #expect(files["ledger.sqlite"] != nil)
        for (name, bytes) in files where CardNumberScan.finds(inFile: bytes) {
            Issue.record("an account number in the file \(name)")
        }
    }

    /// By index: the runner prints the arguments of a test.
    @Test(arguments: CardNumberScan.numbers.indices)
    func `the search for account numbers finds them`(index: Int) {
        let number = CardNumberScan.numbers[index]
        let spaced = stride(from: 0, to: number.count, by: 4).map { String(number.dropFirst($0).prefix(4)) }
            .joined(separator: " ")
        #expect(CardNumberScan.finds(in: "x \(number) y"))
        #expect(CardNumberScan.finds(in: "x \(spaced) y"))
        #expect(CardNumberScan.finds(inFile: Data([1]) + CardNumberScan.packed(number) + [0xF0]))
        #expect(CardNumberScan.finds(inFile: Data("a\(spaced)b".utf8)))
        #expect(!CardNumberScan.finds(in: "the last four are \(number.suffix(4))"))
    }
}
