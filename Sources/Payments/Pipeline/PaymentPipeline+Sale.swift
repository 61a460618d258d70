import EMV
import Ledger
import Money
public import Readers
import Transport

extension PaymentPipeline {
    /// Takes one payment with the chip.
    ///
    /// Cancelling the task cancels the payment as long as the issuer has not been asked; from then on it runs to its true
    /// outcome. Whatever happens, the reader is powered down and closed, and the ledger holds the outcome.
    ///
    /// - Parameters:
    ///   - openReader: finds and opens the reader. Nothing is recorded when it fails: no payment was promised.
    ///   - progress: told what the person at the kiosk should do. Called on the caller's task or one of its children.
    public func sale(
        _ request: SaleRequest, openReader: @Sendable () async throws(ReaderError) -> any ChipReader,
        progress: @escaping @Sendable (PaymentProgress) -> Void = { _ in }
    ) async -> PaymentResult {
        let reader: any ChipReader
        do throws(ReaderError) {
            reader = try await openReader()
        } catch {
            return Self.notStarted(request, .reader(error))
        }
        let result = await sale(request, on: reader, progress: progress)
        await reader.close()
        return result
    }

    private func sale(
        _ request: SaleRequest, on reader: any ChipReader, progress: @escaping @Sendable (PaymentProgress) -> Void
    ) async -> PaymentResult {
        let now = wallClock.nowMilliseconds()
        let id = TransactionID.make(atMilliseconds: now, random: random)
        let details = request.details
        do throws(LedgerError) {
            try await ledger.begin(
                NewTransaction(
                    id: id, state: PaymentState.created.name, amount: request.amount.minorUnits,
                    tip: request.tip.minorUnits, currency: request.amount.currency.numeric,
                    identifier: details.identifier.nilIfEmpty, reference: details.reference.nilIfEmpty,
                    email: details.email.nilIfEmpty, phone: details.phone.nilIfEmpty,
                    msi: request.instalments.rawValue, reader: reader.model),
                at: now)
        } catch {
            return Self.notStarted(request, .ledger(error))
        }
        let run = SaleRun(pipeline: self, request: request, id: id, reader: reader, progress: progress)
        return await run.execute()
    }

    /// A sale that left no trace: nothing was promised to anybody.
    private static func notStarted(_ request: SaleRequest, _ failure: PaymentFailure) -> PaymentResult {
        var response = PaymentResponse(outcome: .failed)
        response.fill(from: request)
        switch failure {
        case .reader(let error):
            if error.code == .cancelled { response.outcome = .cancelled }
            response.statusInfo = StatusInfo(readerFailure: error, isArmed: false)
        default:
            response.statusInfo = .storageFailed
        }
        return PaymentResult(response, failure: failure)
    }
}

extension PaymentResponse {
    /// What goes back as it was sent.
    mutating func fill(from request: SaleRequest) {
        amount = request.amount
        tip = request.tip
        instalments = request.instalments
        identifier = request.details.identifier
        reference = request.details.reference
        email = request.details.email
        phone = request.details.phone
    }
}

extension StatusInfo {
    /// What a caller is told when the reader fails before an authorisation.
    init(readerFailure error: ReaderError, isArmed: Bool) {
        switch error.code {
        case .cancelled: self = .cancelled
        case .cardNotInserted: self = .expired
        case .cardRemoved: self = .cardRemoved
        case .cardMute, .cardUnusable: self = .cardFault
        case .notFound: self = .readerMissing
        case .busy: self = .busy
        case .gone, .silent, .protocolViolation, .linkFailed, .closed, .hardwareFault:
            self = isArmed ? .readerLost : .readerUnusable
        case .accessDenied, .unsupported, .ambiguous: self = .readerUnusable
        }
    }
}

extension String {
    var nilIfEmpty: String? { isEmpty ? nil : self }
}
