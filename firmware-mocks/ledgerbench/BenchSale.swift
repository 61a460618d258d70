import Ledger

/// What an approved sale writes: four commits, of which the second and the last must survive a power cut.
struct BenchSale: Sendable {
    static let commitCount = 4
    private static let start: Int64 = 1_752_163_200_000
    private static let digest = String(repeating: "0123456789abcdef", count: 4)

    private let ledger: Ledger
    private let id: String

    init(_ ledger: Ledger, id: String) {
        self.ledger = ledger
        self.id = id
    }

    func run() async throws(LedgerError) {
        for number in 0..<Self.commitCount { try await commit(number) }
    }

    func commit(_ number: Int) async throws(LedgerError) {
        switch number {
        case 0:
            try await ledger.begin(
                NewTransaction(
                    id: id, state: "created", next: ["readerArmed"], amount: 10_000, tip: 1_500, currency: 484,
                    identifier: "order \(id)", reference: "table 7", reader: "ccid", owner: "bench"),
                identifier: .once(scope: "", digest: Self.digest), at: Self.start, durability: .written)
        case 1:
            var change = TransactionChange()
            change.attemptID = id
            change.lastFour = "0119"
            change.cardBrand = "VISA"
            change.arqc = "0123456789ABCDEF"
            change.aid = "A0000000031010"
            change.appLabel = "VISA CREDITO"
            change.cardholderName = "DOE/JOHN"
            change.entryMode = "chip"
            let card = Transition(id, from: ["readerArmed"], to: "cardPresented", at: Self.start - 900)
            try await advance([card, Transition(id, from: ["cardPresented"], to: "authorizing", change: change)])
        case 2:
            var change = TransactionChange()
            change.responseCode = "00"
            change.authorisation = "123456"
            change.bank = "Banco"
            change.accountType = "credit"
            change.hostReference = "000123456789"
            change.approvedAmount = 11_500
            let answer = Transition(id, from: ["authorizing"], to: "authorizing", change: change, detail: "host 00")
            try await advance([answer], durability: .written)
        default:
            var change = TransactionChange()
            change.outcome = "approved"
            change.approvedAt = Self.start
            change.receipt = Self.receipt
            try await advance([
                Transition(id, from: ["authorizing"], to: "approved", change: change, recovery: .none)
            ])
        }
    }

    private func advance(_ steps: [Transition], durability: Durability = .flushed) async throws(LedgerError) {
        try await ledger.perform(steps, at: Self.start, durability: durability)
    }

    /// About as long as a real one.
    private static let receipt =
        #"{"kind":"sale","approved":true,"amount":"100.00","tip":"15.00","currency":"MXN","time":"2025-07-10 12:00:00","#
        + #""reference":"table 7","card":"0119","brand":"VISA","authorization":"123456","response":"00","#
        + #""aid":"A0000000031010","label":"VISA CREDITO","arqc":"0123456789ABCDEF","tvr":"0000008000","tsi":"E800"}"#
}
