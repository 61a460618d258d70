import Gateways
public import Ledger
import Money

/// A receipt from the ledger that has been checked.
public struct StoredReceipt: Sendable, Hashable {
    public let receipt: Receipt
    /// Of the first layout receipts have no seal: changes to them cannot be seen.
    public let isSealed: Bool

    /// The receipt of a row. Later steps of the transaction (a refund of it, its settlement) do not break it.
    ///
    /// - Parameter seal: of this installation; nil when it has no key.
    /// - Returns: nil when the row has no receipt.
    /// - Throws: `ReceiptProblem` when it must not be shown.
    public init?(of record: TransactionRecord, seal: ReceiptSeal?) throws(ReceiptProblem) {
        guard let text = record.receipt else { return nil }
        let finding = seal?.check(text)
        guard let receipt = Receipt(json: text) else { throw finding == .changed ? .changed : .unreadable }
        switch finding {
        case .intact: isSealed = true
        case .changed: throw .changed
        case .otherKey: throw .otherKey
        case .unsealed, nil:
            guard receipt.layout == .first else { throw finding == nil ? .noKey : .changed }
            // A receipt of the time before there was a key.
            if let seal, TransactionID.milliseconds(of: record.id).map({ $0 >= seal.madeAt }) ?? false {
                throw .changed
            }
            isSealed = false
        }
        let differences = receipt.differences(from: record)
        guard differences.isEmpty else { throw .contradictsRow(differences) }
        self.receipt = receipt
    }
}

/// Why a stored receipt is not shown.
public enum ReceiptProblem: Error, Sendable, Hashable {
    /// It is no receipt.
    case unreadable
    /// Its text is not the one that was sealed.
    case changed
    /// It was sealed with a key that this installation does not have.
    case otherKey
    /// It is sealed, and there is no key here to check it with.
    case noKey
    /// Columns of the ledger that say otherwise.
    case contradictsRow([String])

    /// One sentence for people, and what to do.
    public var sentence: String {
        let advice = "It is not shown: compare the ledger with a backup and with the acquirer's books."
        return switch self {
        case .unreadable: "The stored receipt cannot be read. \(advice)"
        case .changed: "The stored receipt was changed after it was made. \(advice)"
        case .otherKey:
            "The stored receipt was sealed with another key than this installation's. Put the file receipt.key of that "
                + "time back into the data directory."
        case .noKey:
            "The key for receipts is missing, so the stored receipt cannot be checked. Put the file receipt.key back "
                + "into the data directory."
        case .contradictsRow(let columns):
            "The ledger was changed after the receipt was made: it says otherwise about \(columns.joined(separator: ", ")). "
                + advice
        }
    }
}

extension Receipt {
    /// The columns in which a row says otherwise than its receipt. What a receipt leaves empty it does not state.
    func differences(from record: TransactionRecord) -> [String] {
        func isStated(_ text: String, _ column: String?) -> Bool { text.isEmpty || text == column }
        let outcome = PaymentState(record.state)?.outcome
        // What card and terminal approved (ARC Y1, Y3) has the host's own code in its row by now.
        let isForwarded = record.offline != nil && OfflineAdvice.Approval(rawValue: responseCode) != nil
        let isVoided = record.state == PaymentState.voided.name
        // A column that is empty says nothing: rows of earlier versions, and of cards that declined by themselves.
        func isRecorded<Value: Equatable>(_ value: Value?, _ column: Value?) -> Bool {
            value == nil || column == nil || value == column
        }
        let cryptogram = chip.flatMap { $0.cryptogramType == "ARQC" ? $0.cryptogram : nil }
        // The host may take a part of what it was not asked for.
        let approved = isApproved && record.offline == nil ? total.minorUnits : nil
        let checks: [(column: String, agrees: Bool)] = [
            ("id", transactionID == record.id), ("kind", kind == record.kind),
            ("state", outcome == (isApproved ? .approved : .declined)),
            // Receipts of the first layout know no voids.
            ("state", voidedAt == nil ? !isVoided || layout == .first : isVoided),
            ("outcome", isRecorded((isApproved ? PaymentOutcome.approved : .declined).rawValue, record.outcome)),
            ("amount", amount.minorUnits == record.amount), ("tip", tip.minorUnits == record.tip),
            ("currency", amount.currency.numeric == record.currency), ("msi", instalments.rawValue == record.msi),
            ("reference", isStated(reference, record.reference)),
            ("original_id", isStated(originalID, record.originalID)),
            ("card_brand", isStated(cardBrand, record.cardBrand)), ("last_four", isStated(lastFour, record.lastFour)),
            ("authorisation", isStated(authorization, record.authorisation)),
            ("response_code", isStated(responseCode, record.responseCode) || isForwarded),
            ("entry_mode", isRecorded(entryMode?.rawValue, record.entryMode)),
            ("aid", isRecorded(chip?.aid.nilIfEmpty, record.aid)), ("arqc", isRecorded(cryptogram, record.arqc)),
            ("approved_amount", isRecorded(approved, record.approvedAmount)),
        ]
        return checks.filter { !$0.agrees }.map(\.column)
    }
}
