import Crypto
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
    /// A request with an identifier is carried out once: an equal one gets the answer of the first, without a reader,
    /// and waits for it when it is not there yet; one with other data is refused.
    ///
    /// - Parameters:
    ///   - openReader: finds and opens the reader. Nothing is recorded when it fails: no payment was promised.
    ///   - progress: told what the person at the kiosk should do, on any task.
    public func sale(
        _ request: SaleRequest, openReader: @escaping @Sendable () async throws(ReaderError) -> OpenedReader,
        progress: @escaping @Sendable (PaymentProgress) -> Void = { _ in }
    ) async -> PaymentResult {
        let key: RequestKey?
        do throws(CryptoError) {
            key = try RequestKey(request)
        } catch {
            return Self.notStarted(request, .library("\(error)"))
        }
        guard let key else { return await sale(request, nil, openReader, progress) }
        let result = await underWay.once(key) {
            do throws(LedgerError) {
                switch try await earlierAnswer(key, limit: limits.sale) {
                case .same(let answer): return answer
                case .otherData: return Self.notStarted(request, .rule(.duplicate))
                case nil: return await sale(request, key, openReader, progress)
                }
            } catch {
                return Self.notStarted(request, .ledger(error))
            }
        }
        return result ?? Self.notStarted(request, .rule(.duplicate))
    }

    private func sale(
        _ request: SaleRequest, _ key: RequestKey?, _ openReader: () async throws(ReaderError) -> OpenedReader,
        _ progress: @escaping @Sendable (PaymentProgress) -> Void
    ) async -> PaymentResult {
        // A repeated request is answered before this, whatever the minimum is now.
        if let minimum = rules.minimumMissed(by: request) {
            return Self.notStarted(request, .instalmentMinimum(request.instalments, minimum))
        }
        let reader: OpenedReader
        do throws(ReaderError) {
            reader = try await openReader()
        } catch {
            return await readerless(request, key, error)
        }
        let id = TransactionID.make(atMilliseconds: wallClock.nowMilliseconds(), random: random)
        underWay.began(id)
        defer { underWay.ended(id) }
        let beginning: Beginning
        do throws(LedgerError) {
            beginning = try await begin(request, key, id: id, reader: reader.reader.model)
        } catch {
            await reader.reader.close()
            if case .duplicate = error.code, key != nil { return Self.notStarted(request, .rule(.duplicate)) }
            return Self.notStarted(request, .ledger(error))
        }
        guard case .begun = beginning else {
            // Another program was faster.
            await reader.reader.close()
            return await settledAnswer(beginning.record, limit: limits.sale)
        }
        crash(.saleBegun)
        let run = SaleRun(pipeline: self, request: request, id: id, reader: reader, progress: progress)
        let result = await run.execute()
        await reader.reader.close()
        return result
    }

    private func begin(
        _ request: SaleRequest, _ key: RequestKey?, id: String, reader: String
    ) async throws(LedgerError) -> Beginning {
        let details = request.details
        return try await ledger.begin(
            NewTransaction(
                id: id, state: PaymentState.created.name, next: [PaymentState.readerArmed.name],
                amount: request.amount.minorUnits, tip: request.tip.minorUnits,
                currency: request.amount.currency.numeric,
                identifier: details.identifier.nilIfEmpty, reference: details.reference.nilIfEmpty,
                email: details.email.nilIfEmpty, phone: details.phone.nilIfEmpty,
                msi: request.instalments.rawValue, reader: reader, owner: owner.id),
            identifier: key?.rule ?? .free, at: wallClock.nowMilliseconds(), durability: .written)
    }

    /// The reader may be busy with the very same request of another program.
    private func readerless(
        _ request: SaleRequest, _ key: RequestKey?, _ error: ReaderError
    ) async -> PaymentResult {
        let earlier: EarlierAnswer?
        do throws(LedgerError) {
            earlier = if let key { try await earlierAnswer(key, limit: limits.sale) } else { nil }
        } catch {
            return Self.notStarted(request, .ledger(error))
        }
        switch earlier {
        case .same(let answer): return answer
        case .otherData: return Self.notStarted(request, .rule(.duplicate))
        case nil: return Self.notStarted(request, .reader(error))
        }
    }

    /// A sale that left no trace: nothing was promised to anybody.
    private static func notStarted(_ request: SaleRequest, _ failure: PaymentFailure) -> PaymentResult {
        var response = PaymentResponse(outcome: .failed)
        response.fill(from: request)
        switch failure {
        case .reader(let error):
            if error.code == .cancelled { response.outcome = .cancelled }
            response.statusInfo = StatusInfo(readerFailure: error, isArmed: false)
        case .rule(let info):
            response.statusInfo = info
        case .instalmentMinimum(let plan, _):
            response.statusInfo = .msiMinimum(months: plan.rawValue)
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
