import Ledger

let start: Int64 = 1_752_163_200_000

func newSale(
    _ id: String, amount: Int64 = 10_000, tip: Int64 = 0, state: StateName = "created", identifier: String? = nil,
    attemptID: String? = nil
) -> NewTransaction {
    NewTransaction(
        id: id, state: state, amount: amount, tip: tip, currency: 484, identifier: identifier, attemptID: attemptID)
}

/// The error that `body` throws; nil when it throws none.
func failure<Result>(_ body: () async throws(LedgerError) -> Result) async -> LedgerError? {
    do throws(LedgerError) {
        _ = try await body()
        return nil
    } catch {
        return error
    }
}

/// The digests of two requests.
let digest = String(repeating: "0123456789abcdef", count: 4)
let otherDigest = String(repeating: "f", count: 64)

/// A change that gives every column a value.
let fullChange: TransactionChange = {
    var change = TransactionChange()
    change.outcome = "approved"
    change.approvedAt = start + 5
    change.amount = 9_000
    change.tip = 1_500
    change.msi = 3
    change.attemptID = "attempt-1"
    change.reader = "ccid"
    change.responseCode = "00"
    change.authorisation = "123456"
    change.lastFour = "0119"
    change.cardBrand = "VISA"
    change.arqc = "0123456789ABCDEF"
    change.aid = "A0000000031010"
    change.appLabel = "VISA CRÉDITO"
    change.cardholderName = "DOE/JOHN"
    change.bank = "Banco"
    change.accountType = "credit"
    change.statusCode = "ok"
    change.statusInfo = ""
    change.batch = 1
    change.owner = "kiosk-7/4242"
    change.approvedAmount = 10_500
    change.hostReference = "000123456789"
    change.entryMode = "chip"
    change.offline = .stored
    change.receipt = #"{"copy":"merchant"}"#
    return change
}()
