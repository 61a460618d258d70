import AppToApp
import JSONText
import Ledger
import Payments

/// `readerctl attach ID --signature FILE`: the signature that was given for a sale, as an image. The file is kept in the
/// data directory under the sale's id, and the journal has its digest.
struct AttachCommand: Command {
    let arguments: ParsedArguments
    let console: Console

    func run() async throws -> ExitStatus {
        guard let file = arguments["--signature"] else {
            throw CommandFailure(.usage, "The signature is missing: give its image with --signature FILE.")
        }
        let (sale, _) = try await StoredTransaction.find(arguments)
        guard sale.kind == .sale, PaymentState(sale.state)?.outcome == .approved else {
            throw CommandFailure(
                .refusedByRule,
                "A signature belongs to an approved sale; this is a \(sale.kind.rawValue) in state \(sale.state.rawValue)."
            )
        }
        let installation = try Installation(arguments)
        let store = PhotoStore(directory: installation.dataDirectory + "/signatures")
        let signature: ReceivedPhoto
        let earlier: String?
        do throws(PhotoProblem) {
            earlier = try store.digest(of: sale.id)
            signature = try store.receive(fileAt: file)
        } catch {
            throw Self.failure(error)
        }
        if let earlier {
            try? signature.discard()
            guard earlier == signature.digest else {
                throw CommandFailure(.refusedByRule, "The sale has another signature already; it is not replaced.")
            }
        } else {
            try await keep(signature, of: sale, at: installation)
        }
        show(sale, signature)
        return .done
    }

    private func keep(
        _ signature: ReceivedPhoto, of sale: TransactionRecord, at installation: Installation
    ) async throws(CommandFailure) {
        let ledger = try await installation.openLedger()
        do throws(LedgerError) {
            // Named before it is there, so that no file is without its digest.
            try await ledger.note(
                sale.id, detail: "signature sha256 \(signature.digest)", at: SystemWallClock().nowMilliseconds())
            await ledger.close()
        } catch {
            await ledger.close()
            try? signature.discard()
            throw CommandFailure(.internalError, "\(error.sentence) \(error.nextStep)")
        }
        do throws(StorageFailure) {
            try signature.attach(to: sale.id)
        } catch {
            throw CommandFailure(.internalError, "The signature could not be stored: \(error). Attach it again.")
        }
    }

    private func show(_ sale: TransactionRecord, _ signature: ReceivedPhoto) {
        guard arguments.has("--json") else { return console.print("\(sale.id)  signature sha256 \(signature.digest)") }
        console.print(.object(["transactionid": .string(sale.id), "signature": .string(signature.digest)]))
    }

    private static func failure(_ problem: PhotoProblem) -> CommandFailure {
        switch problem {
        case .unreadable(let reason): CommandFailure(named: "The signature's file cannot be read (\(reason)).")
        case .notAPhoto:
            CommandFailure(
                .malformedInput, "The file is not an image: give the signature as PNG or JPEG, at most 10 MiB.")
        case .notStored(let failure): CommandFailure(.internalError, "The signature cannot be stored: \(failure).")
        }
    }
}
