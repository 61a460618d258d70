import Ledger
import Money
import Notices
import Payments
import Readers

/// Carries out sales and refunds for every command that asks for one, and says what Ctrl-C still does meanwhile.
struct PaymentDesk: Sendable {
    let console: Console

    /// The issuer has been asked: what the person at the kiosk cannot see, but must know when they want to cancel.
    private let isAuthorising = Flag()

    init(console: Console) {
        self.console = console
    }

    func interrupted() {
        if isAuthorising.isSet {
            console.note("The issuer has been asked; waiting for its answer. The payment can no longer be cancelled.")
        } else {
            console.note("Cancelling.")
        }
    }

    /// - Parameters:
    ///   - cardTimeout: seconds; nil: as configured.
    ///   - finish: what is done with the result while the ledger is still open.
    ///   - settled: told of the payments of apps whose outcome became known meanwhile; each has a reply kept.
    func sale(
        _ request: SaleRequest, at installation: Installation, cardTimeout: Int? = nil,
        finish: (PaymentResult, Ledger) async -> ExitStatus, settled: ([String]) async -> Void = { _ in }
    ) async throws(CommandFailure) -> ExitStatus {
        let source = try installation.makeReaderSource()
        let ledger = try await installation.openLedger()
        let pipeline = try installation.makePipeline(ledger, cardTimeout: cardTimeout, console: console)
        let language = DisplayLanguage(locale: PaymentPrinter.locale)
        let (terminal, asked) = (console, isAuthorising)
        let beside = RecoveryBeside(pipeline: pipeline, outbox: outbox(ledger, at: installation))
        let status = await beside.run(
            {
                await pipeline.sale(
                    request,
                    openReader: { () async throws(ReaderError) in try await installation.openReader(from: source) },
                    progress: { step in
                        if step == .authorising { asked.set() }
                        terminal.progress(step.text(in: language))
                    })
            },
            show: { result in
                noteShortfall(result.response, of: request)
                let status = await finish(result, ledger)
                noteOffline(result)
                return status
            })
        await source.close()
        await settled(PendingReplies(installation: installation, console: console).settle(with: ledger))
        await ledger.close()
        return status
    }

    /// Somebody has to ask for the rest.
    private func noteShortfall(_ response: PaymentResponse, of request: SaleRequest) {
        guard response.outcome == .approved, let amount = response.amount, let tip = response.tip,
            let taken = amount.adding(tip), let rest = request.total.subtracting(taken), !rest.isZero
        else { return }
        console.note("Only \(taken) of \(request.total) was approved and taken: \(rest) is still to be paid.")
    }

    /// The goods may go, and the money has not moved.
    private func noteOffline(_ result: PaymentResult) {
        guard result.offline == .stored else { return }
        console.note(
            "Approved offline, without the host: the sale is stored and will be sent when the host answers, with the next "
                + "sale or by 'readerctl resolve \(result.response.transactionID)'.")
    }

    /// - Parameters: as of `sale`.
    func refund(
        _ request: RefundRequest, at installation: Installation, finish: (PaymentResult, Ledger) async -> ExitStatus,
        settled: ([String]) async -> Void = { _ in }
    ) async throws(CommandFailure) -> ExitStatus {
        let ledger = try await installation.openLedger()
        let pipeline = try installation.makePipeline(ledger, console: console)
        let beside = RecoveryBeside(pipeline: pipeline, outbox: outbox(ledger, at: installation))
        let status = await beside.run({ await pipeline.refund(request) }, show: { await finish($0, ledger) })
        await settled(PendingReplies(installation: installation, console: console).settle(with: ledger))
        await ledger.close()
        return status
    }

    /// A webhook that cannot be sent is no reason to refuse a payment.
    private func outbox(_ ledger: Ledger, at installation: Installation) -> NoticeOutbox? {
        do throws(CommandFailure) {
            return try installation.makeOutbox(ledger)
        } catch {
            console.note(("Webhooks are not sent. " + error.sentence).printable())
            return nil
        }
    }
}
