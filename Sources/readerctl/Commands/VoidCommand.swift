import JSONText
import Ledger
import Payments

/// `readerctl void`.
struct VoidCommand: Command {
    let arguments: ParsedArguments
    let console: Console

    var endsOnInterrupt: Bool { true }

    func interrupted() {
        console.note("The void goes on to its end.")
    }

    func run() async throws -> ExitStatus {
        let id = arguments.operands.first ?? ""
        let installation = try Installation(arguments)
        guard installation.hasLedger else { return show(.refused(.notFound, nil)) }
        let ledger = try await installation.openLedger()
        let pipeline: PaymentPipeline
        do throws(CommandFailure) {
            pipeline = try installation.makePipeline(ledger, console: console)
        } catch {
            await ledger.close()
            throw error
        }
        let result = await pipeline.void(id)
        pipeline.owner.end()
        await ledger.close()
        return show(result)
    }

    private func show(_ result: VoidResult) -> ExitStatus {
        switch result {
        case .voided(let sale):
            print(sale, result.code)
            return .done
        case .alreadyVoided(let sale):
            console.note("The sale was voided before; nothing was sent.")
            print(sale, result.code)
            return .done
        case .refused(let refusal, let sale):
            console.error(refusal.sentence)
            print(sale, result.code)
            return refusal == .unresolved ? .unknownOutcome : .refusedByRule
        case .unknown(let error, let sale):
            let next =
                sale.resolveAt == nil
                ? "It is given up: ask the acquirer." : "'readerctl resolve' goes on with the void."
            console.error("\(error) The sale counts as approved until the void is confirmed. \(next)")
            print(sale, result.code)
            return .unknownOutcome
        case .underWay(let sale):
            console.error("Another program is at work on this sale. Try again in a moment.")
            print(sale, result.code)
            return .unknownOutcome
        case .ledger(let error, let sale):
            console.error("\(error.sentence) \(error.nextStep)")
            print(sale, result.code)
            return .internalError
        }
    }

    private func print(_ sale: TransactionRecord?, _ code: VoidResult.Code) {
        guard arguments.has("--json") else {
            if let sale { console.print("\(sale.id)  \(sale.state.rawValue)".printable()) }
            return
        }
        console.print(
            .object([
                .init("transactionid", .optional(sale?.id)), .init("state", .optional(sale?.state.rawValue)),
                .init("void", .string(code.rawValue)),
                .init("resolveAt", sale?.resolveAt.map(JSONValue.integer) ?? .null),
            ]))
    }
}
