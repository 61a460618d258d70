import Foundation
import Testing
import Transport

@testable import Readers

/// The table of states, and nothing beside it.
@Suite("the states of a reader")
struct ReaderStateTests {
    private static let instant = MonotonicInstant(nanoseconds: 7)
    private static let problem = ReaderProblem(.fault, message: "It is broken.", fix: "Mend it.")
    private static let another = ReaderProblem(.silent, message: "It is silent.", fix: "Wake it.")
    private static let holder = ReaderProblem(.held, message: "The reader is held by x.", fix: "End x.")
    private static let states: [ReaderState] = [
        .discovering, .ready, .busy(.operation("waiting for a card")), .busy(.held(holder)), .fault(problem),
        .reconnecting(since: instant, .unplugged), .reconnecting(since: instant, .lost(during: "waiting for a card")),
        .gone(.unplugged),
    ]
    private static let steps: [ReaderStep] = [
        .looked(.usable), .looked(.held(holder)), .looked(.unusable(another)),
        .began("waiting for a card"), .ended(nil), .ended(.lost(at: instant)), .ended(.held(holder)),
        .ended(.unusable(problem)),
        .left(at: instant), .graceEnded, .returned,
    ]

    @Test("every step that changes a state is an edge of the table, and every edge is taken by a step")
    func edges() {
        var taken: [ReaderState.Name: Set<ReaderState.Name>] = [:]
        for state in Self.states {
            for step in Self.steps {
                do throws(IllegalReaderStep) {
                    let next = try state.after(step)
                    if next != state { taken[state.name, default: []].insert(next.name) }
                } catch {
                    #expect(error == IllegalReaderStep(from: state.name, step: step))
                }
            }
        }
        for name in ReaderState.Name.allCases { #expect(taken[name] == name.successors, "\(name)") }
    }

    @Test(
        "a step that a state does not have is refused",
        arguments: [
            (ReaderState.discovering, ReaderStep.ended(nil)), (.discovering, .graceEnded), (.discovering, .returned),
            (.ready, .ended(nil)), (.ready, .returned), (.ready, .graceEnded),
            (.busy(.operation("a")), .began("b")), (.busy(.operation("a")), .looked(.usable)),
            (.busy(.held(holder)), .ended(nil)), (.fault(problem), .ended(nil)), (.fault(problem), .returned),
            (.reconnecting(since: instant, .unplugged), .began("a")),
            (.reconnecting(since: instant, .unplugged), .looked(.usable)),
            (.reconnecting(since: instant, .unplugged), .ended(nil)),
            (.reconnecting(since: instant, .unplugged), .left(at: instant)),
            (.gone(.unplugged), .graceEnded), (.gone(.unplugged), .began("a")), (.gone(.unplugged), .left(at: instant)),
        ])
    func refused(state: ReaderState, step: ReaderStep) {
        #expect(throws: IllegalReaderStep(from: state.name, step: step)) { _ = try state.after(step) }
    }

    @Test("a reader that leaves in an operation keeps the operation as its reason, until it is gone")
    func reasons() throws {
        let lost = try ReaderState.busy(.operation("waiting for a card")).after(.left(at: Self.instant))
        #expect(lost == .reconnecting(since: Self.instant, .lost(during: "waiting for a card")))
        #expect(lost.reason?.code == "lost")
        #expect(lost.reason?.message == "The connection to the reader was lost while waiting for a card.")
        let gone = try lost.after(.graceEnded)
        #expect(gone == .gone(.lost(during: "waiting for a card")))
        #expect(
            gone.reason?.message
                == "The connection to the reader was lost while waiting for a card, and it has not come back.")
        #expect(try gone.after(.returned) == .discovering)
    }

    @Test("a state that keeps a reader from use says why and what to do", arguments: states)
    func remedies(state: ReaderState) {
        switch state {
        case .discovering, .ready: #expect(state.reason == nil)
        case .busy(.operation): #expect(state.reason?.fix == nil && state.reason?.message.isEmpty == false)
        default: #expect(state.reason?.fix?.isEmpty == false && state.reason?.message.isEmpty == false)
        }
    }

    @Test("what says nothing about the reader leaves it ready", arguments: ReaderError.Code.allCases)
    func troubles(code: ReaderError.Code) throws {
        let error = ReaderError(code, during: "sending a command to the card")
        let trouble = ReaderTrouble(error, isOpening: false, at: Self.instant)
        let state = try ReaderState.busy(.operation("sending a command to the card")).after(.ended(trouble))
        let expected: ReaderState.Name =
            switch code {
            case .gone, .notFound: .reconnecting
            case .accessDenied, .silent, .protocolViolation, .linkFailed, .hardwareFault: .fault
            default: .ready
            }
        #expect(state.name == expected)
        if case .fault(let problem) = state { #expect(problem.fix == code.nextStep) }
        let opening = ReaderTrouble(error, isOpening: true, at: Self.instant)
        if code == .busy { #expect(opening == .held(.held(by: nil))) }
        if code == .unsupported { #expect(opening == .unusable(ReaderProblem(error))) }
    }

    @Test("the picture in docs/readers.md is made from the code")
    func diagram() throws {
        var root = URL(fileURLWithPath: #filePath)
        for _ in 0..<4 { root.deleteLastPathComponent() }
        let page = try String(contentsOf: root.appendingPathComponent("docs/readers.md"), encoding: .utf8)
        #expect(page.contains("```mermaid\n" + ReaderStateDiagram.text + "```\n"), "run make generate")
        #expect(ReaderStateDiagram.text.contains("    reconnecting --> gone\n"))
        let edges = ReaderState.Name.allCases.reduce(0) { $0 + $1.successors.count }
        #expect(ReaderStateDiagram.text.split(separator: "\n").count == edges + 2)
    }
}
