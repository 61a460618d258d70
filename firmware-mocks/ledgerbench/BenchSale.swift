import Ledger

/// What an approved sale writes: two steps that must survive a power cut, and four that need not.
struct BenchSale: Sendable {
    static let stepCount = 6
    private static let start: Int64 = 1_752_163_200_000
    private static let digest = String(repeating: "0123456789abcdef", count: 4)

    private let ledger: Ledger
    private let id: String

    init(_ ledger: Ledger, id: String) {
        self.ledger = ledger
        self.id = id
    }

    func run() async throws(LedgerError) {
        for number in 0..<Self.stepCount { try await step(number) }
    }

    func step(_ number: Int) async throws(LedgerError) {
        switch number {
        case 0:
            try await ledger.begin(
                NewTransaction(
                    id: id, state: "created", amount: 10_000, tip: 1_500, currency: 484, identifier: "order \(id)",
                    reference: "table 7", reader: "ccid", owner: "bench", resolveAt: Self.start + 120_000),
                identifier: .once(scope: "", digest: Self.digest), at: Self.start, durability: .written)
        case 1: try await advance("created", "readerArmed", durability: .written)
        case 2: try await advance("readerArmed", "cardPresented", durability: .written)
        case 3:
            var change = TransactionChange()
            change.attemptID = id
            change.lastFour = "0119"
            change.cardBrand = "VISA"
            change.arqc = "0123456789ABCDEF"
            change.aid = "A0000000031010"
            change.appLabel = "VISA CREDITO"
            change.cardholderName = "DOE/JOHN"
            change.entryMode = "chip"
            try await advance("cardPresented", "authorizing", change)
        case 4:
            var change = TransactionChange()
            change.responseCode = "00"
            change.authorisation = "123456"
            change.bank = "Banco"
            change.accountType = "credit"
            try await advance("authorizing", "authorizing", change, detail: "host 00")
        default:
            var change = TransactionChange()
            change.outcome = "approved"
            change.approvedAt = Self.start
            change.approvedAmount = 11_500
            change.statusInfo = "Aprobada"
            change.receipt = Self.receipt
            try await advance("authorizing", "approved", change, durability: .written, recovery: .none)
        }
    }

    private func advance(
        _ from: StateName, _ to: StateName, _ change: TransactionChange = TransactionChange(), detail: String? = nil,
        durability: Durability = .flushed, recovery: RecoveryPlan = .keep
    ) async throws(LedgerError) {
        try await ledger.advance(
            id, from: [from], to: to, change: change, at: Self.start, detail: detail, recovery: recovery,
            durability: durability)
    }

    /// About as long as a real one.
    private static let receipt =
        #"{"kind":"sale","approved":true,"amount":"100.00","tip":"15.00","currency":"MXN","time":"2025-07-10 12:00:00","#
        + #""reference":"table 7","card":"0119","brand":"VISA","authorization":"123456","response":"00","#
        + #""aid":"A0000000031010","label":"VISA CREDITO","arqc":"0123456789ABCDEF","tvr":"0000008000","tsi":"E800"}"#
}
