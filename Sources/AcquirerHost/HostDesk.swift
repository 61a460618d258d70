import Gateways
import Money
import Transport

/// Does what a client asks, with the issuer simulator as book and judge, and says what of it goes wrong on the way back.
struct HostDesk: Sendable {
    let simulator: IssuerSimulator
    let script: HostScript
    let clock: any MonotonicClock
    /// How long the simulator's own silent amounts keep a request.
    let patience: Duration

    struct Outcome: Sendable {
        let reply: HostReply
        let rule: HostFaultRule?
    }

    func perform(_ request: HostRequest) async -> Outcome {
        let rule = script.rule(
            request.operation, amount: request.amount?.minorUnits, attempt: request.attempt?.text)
        return Outcome(reply: await reply(to: request, rule), rule: rule)
    }

    private func reply(to request: HostRequest, _ rule: HostFaultRule?) async -> HostReply {
        let deadline = Deadline.after(patience, on: clock)
        do throws(GatewayError) {
            switch request {
            case .authorisation(let request):
                return .authorised(
                    try await simulator.authorise(
                        request, until: deadline, instructed: Self.instruction(rule, request.amount)))
            case .advice(let advice):
                return .authorised(try await simulator.forward(advice, until: deadline))
            case .refund(let request): return .authorised(try await simulator.refund(request, until: deadline))
            case .reversal(let request): return .reversal(try await simulator.reverse(request, until: deadline))
            case .status(let attempt): return .status(try await simulator.status(of: attempt, until: deadline))
            case .settlement(let request): return .settlement(try await simulator.settle(request, until: deadline))
            case .network: return .accepted
            case .reconciliation(let currency): return .totals(HostTotals(simulator.entries, in: currency))
            }
        } catch {
            return Self.reply(to: error, amount: request.amount)
        }
    }

    private static func reply(to error: GatewayError, amount: Amount?) -> HostReply {
        switch error {
        // Format error.
        case .badRequest: ResponseCode("30").map { .refused($0) } ?? .silence
        case .notSent: .refused(.systemError)
        case .cancelled: .silence
        case .noAnswer:
            switch amount.map({ TestAmount(minorUnits: $0.minorUnits) }) {
            case .garbage: .garbage
            case .silent: .silence
            // Duplicate transmission: the identity has been used for something else.
            default: ResponseCode("94").map { .refused($0) } ?? .silence
            }
        }
    }

    private static func instruction(_ rule: HostFaultRule?, _ amount: Amount) -> IssuerInstruction {
        var instruction = IssuerInstruction()
        switch rule?.fault {
        case .partialApproval:
            let approved = rule?.approved ?? amount.minorUnits / 2
            // Less than a cent and more than all are no partial approvals.
            if (1..<amount.minorUnits).contains(approved) { instruction.behaviour = .partial(approved) }
        case .referral: instruction.behaviour = .decline(.callIssuer)
        case .wrongPIN: instruction.behaviour = .decline(.wrongPIN)
        case .script71: instruction.scripts = script(.beforeFinalCryptogram)
        case .script72: instruction.scripts = script(.afterFinalCryptogram)
        default: break
        }
        return instruction
    }

    /// APPLICATION UNBLOCK (Book 3, 6.5.2): a command that a card which is not blocked takes without effect.
    private static func script(_ phase: IssuerScript.Phase) -> [IssuerScript] {
        IssuerScript(phase: phase, identifier: [0, 0, 0, 1], header: [0x84, 0x18, 0x00, 0x00]).map { [$0] } ?? []
    }
}
