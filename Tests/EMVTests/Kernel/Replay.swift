import BERTLV
import EMV
import Money
import Testing

/// The kernel, led through a transcript without a card and without a reader.
struct Replay {
    private(set) var kernel: ContactKernel
    private(set) var commands: [String] = []
    /// The AIDs of each list that the cardholder was shown.
    private(set) var offers: [[String]] = []
    /// Each time that a PIN was asked for.
    private(set) var requests: [PINRequest] = []
    /// Nil while the kernel is not at its end.
    private(set) var outcome: KernelOutcome?
    /// The first step that went otherwise than written, in two lines.
    private(set) var difference: String?

    init(
        _ transcript: Transcript, terminal: TerminalConfiguration = Replay.terminal(),
        transaction: TransactionData
    ) {
        kernel = ContactKernel(terminal: terminal, transaction: transaction)
        var steps = transcript.steps[...]
        var step = kernel.start()
        while outcome == nil, difference == nil {
            let expected = steps.popFirst()
            switch (step, expected) {
            case (.transmit(let command), .exchange(let pattern, let answer)):
                let sent = hex(command.bytes)
                commands.append(sent)
                guard Self.matches(sent, pattern), let response = ResponseAPDU(bytes: answer) else {
                    difference = Self.difference(pattern, sent)
                    break
                }
                step = kernel.receive(response)
            case (.approveOffline, .permission(let isGranted)):
                step = kernel.offlineApprovalAnswered(isGranted)
            case (.goOnline, .host(let answer)):
                step = kernel.hostAnswered(answer)
            case (.chooseApplication(let candidates), .choice(let index)):
                offers.append(candidates.map { hex($0.aid) })
                step = kernel.applicationChosen(index)
            case (.askForPIN(let request), .pin(let answer)):
                requests.append(request)
                step = kernel.pinAnswered(answer)
            case (.finished(let end), nil):
                outcome = end
            default:
                difference = Self.difference(expected.map(String.init(describing:)) ?? "the end", Self.text(step))
            }
        }
    }

    func value(_ tag: BERTLV.Tag) -> String? { kernel.value(of: tag).map(hex) }

    private static func matches(_ sent: String, _ pattern: String) -> Bool {
        pattern.hasSuffix("*") ? sent.hasPrefix(pattern.dropLast()) : sent == pattern
    }

    private static func difference(_ expected: String, _ actual: String) -> String {
        "expected: \(expected)\n  actual: \(actual)"
    }

    private static func text(_ step: KernelStep) -> String {
        switch step {
        case .transmit(let command): hex(command.bytes)
        case .chooseApplication(let candidates): "the cardholder chooses among \(candidates.count)"
        case .askForPIN(let request): "a PIN is asked for: \(request.method)"
        case .approveOffline: "a TC is to be allowed"
        case .goOnline: "the issuer is asked"
        case .finished(let outcome): "\(outcome)"
        }
    }

    /// A Mexican kiosk that takes only these applications.
    static func terminal(_ applications: [TerminalApplication] = [.visa]) -> TerminalConfiguration {
        var terminal = TerminalConfiguration.mexicanKiosk
        terminal.applications = applications
        return terminal
    }

    /// 100.00 and a tip of 15.00, on 30 November 2026 at 10:20:30.
    static func transaction(_ minorUnits: Int64 = 11_500) throws -> TransactionData {
        TransactionData(
            amount: try #require(Amount(minorUnits: minorUnits, currency: .mxn)),
            time: TransactionTime(year: 2026, month: 11, day: 30, hour: 10, minute: 20, second: 30),
            unpredictableNumber: [0x11, 0x22, 0x33, 0x44], sequenceCounter: 42)
    }
}

extension TerminalApplication {
    static let visa = TerminalApplication(
        aid: bytes("A0000000031010"), allowsPartialSelection: false, versionNumber: [0x00, 0x8C])
}

/// Replays a transcript to its end; a step that goes otherwise is an issue of the calling test.
@discardableResult
func replay(
    _ text: String, terminal: TerminalConfiguration = Replay.terminal(), transaction: TransactionData? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
) throws -> Replay {
    let replay = Replay(Transcript(text), terminal: terminal, transaction: try transaction ?? Replay.transaction())
    if let difference = replay.difference {
        Issue.record(Comment(rawValue: difference), sourceLocation: sourceLocation)
    }
    return replay
}
