/// The columns of the table `transactions`, in the order in which they are created and selected.
enum TransactionColumn: String, CaseIterable {
    case id
    case kind
    case state
    case outcome
    case createdAt = "created_at"
    case updatedAt = "updated_at"
    case approvedAt = "approved_at"
    case amount
    case tip
    case currency
    case identifier
    case reference
    case email
    case phone
    case msi
    case originalID = "original_id"
    case attemptID = "attempt_id"
    case reader
    case responseCode = "response_code"
    case authorisation
    case lastFour = "last_four"
    case cardBrand = "card_brand"
    case arqc
    case aid
    case appLabel = "app_label"
    case cardholderName = "cardholder_name"
    case bank
    case accountType = "account_type"
    case statusCode = "status_code"
    case statusInfo = "status_info"
    case batch
    case receipt
    case owner
    case identifierScope = "identifier_scope"
    case requestDigest = "request_digest"
    case approvedAmount = "approved_amount"
    case hostReference = "host_reference"
    case entryMode = "entry_mode"
    case resolveAt = "resolve_at"
    case resolveTries = "resolve_tries"

    static let list = allCases.map(\.rawValue).joined(separator: ", ")

    static let count = Int32(allCases.count)

    static let positions: [TransactionColumn: Int32] = Dictionary(
        uniqueKeysWithValues: zip(allCases, 0...))
}

extension TransactionRecord {
    /// Reads a row selected with `TransactionColumn.list`.
    init(row: SQLiteRow) throws(LedgerError) {
        func text(_ column: TransactionColumn) -> String? { row.text(Self.position(column)) }
        func integer(_ column: TransactionColumn) -> Int64? { row.integer(Self.position(column)) }
        guard let id = text(.id), let kind = text(.kind).flatMap(TransactionKind.init(rawValue:)),
            let state = text(.state), let createdAt = integer(.createdAt), let updatedAt = integer(.updatedAt),
            let amount = integer(.amount), Self.amounts.contains(amount), let tip = integer(.tip),
            Self.amounts.contains(tip),
            let currency = integer(.currency).flatMap(UInt16.init(exactly:)),
            let msi = integer(.msi).flatMap(Int.init(exactly:)), let scope = text(.identifierScope),
            let tries = integer(.resolveTries).flatMap(Int.init(exactly:)), tries >= 0,
            integer(.approvedAmount).map(Self.amounts.contains) ?? true
        else { throw .corrupt("a row of the table transactions does not hold what it must") }
        self.init(
            id: id, kind: kind, state: StateName(rawValue: state), createdAt: createdAt, updatedAt: updatedAt,
            amount: amount, tip: tip, currency: currency, msi: msi)
        outcome = text(.outcome)
        approvedAt = integer(.approvedAt)
        identifier = text(.identifier)
        reference = text(.reference)
        email = text(.email)
        phone = text(.phone)
        originalID = text(.originalID)
        attemptID = text(.attemptID)
        reader = text(.reader)
        responseCode = text(.responseCode)
        authorisation = text(.authorisation)
        lastFour = text(.lastFour)
        cardBrand = text(.cardBrand)
        arqc = text(.arqc)
        aid = text(.aid)
        appLabel = text(.appLabel)
        cardholderName = text(.cardholderName)
        bank = text(.bank)
        accountType = text(.accountType)
        statusCode = text(.statusCode)
        statusInfo = text(.statusInfo)
        batch = integer(.batch)
        receipt = text(.receipt)
        owner = text(.owner)
        identifierScope = scope
        requestDigest = text(.requestDigest)
        approvedAmount = integer(.approvedAmount)
        hostReference = text(.hostReference)
        entryMode = text(.entryMode)
        resolveAt = integer(.resolveAt)
        resolveTries = tries
    }

    /// What the schema lets in, in minor units. A file that was changed by other means may hold anything, and sums of it
    /// must not overflow.
    private static let amounts: ClosedRange<Int64> = 0...999_999_999_999

    private static func position(_ column: TransactionColumn) -> Int32 {
        TransactionColumn.positions[column, default: -1]
    }
}

extension TransactionChange {
    /// Every column that a transition can change, always all of them and in the same order, so that one prepared
    /// statement serves every change.
    var values: [(column: TransactionColumn, value: SQLiteValue)] {
        [
            (.outcome, .text(outcome)), (.approvedAt, .integer(approvedAt)), (.amount, .integer(amount)),
            (.tip, .integer(tip)), (.msi, .integer(msi.map(Int64.init))), (.attemptID, .text(attemptID)),
            (.reader, .text(reader)), (.responseCode, .text(responseCode)), (.authorisation, .text(authorisation)),
            (.lastFour, .text(lastFour)), (.cardBrand, .text(cardBrand)), (.arqc, .text(arqc)), (.aid, .text(aid)),
            (.appLabel, .text(appLabel)), (.cardholderName, .text(cardholderName)), (.bank, .text(bank)),
            (.accountType, .text(accountType)), (.statusCode, .text(statusCode)), (.statusInfo, .text(statusInfo)),
            (.batch, .integer(batch)), (.receipt, .text(receipt)), (.owner, .text(owner)),
            (.approvedAmount, .integer(approvedAmount)), (.hostReference, .text(hostReference)),
            (.entryMode, .text(entryMode)),
        ]
    }
}

extension NewTransaction {
    func values(kind: TransactionKind, originalID: String?, rule: IdentifierRule, at: Int64) -> [(
        column: TransactionColumn, value: SQLiteValue
    )] {
        [
            (.id, .text(id)), (.kind, .text(kind.rawValue)), (.state, .text(state.rawValue)),
            (.createdAt, .integer(at)), (.updatedAt, .integer(at)), (.amount, .integer(amount)),
            (.tip, .integer(tip)), (.currency, .integer(Int64(currency))), (.identifier, .text(identifier)),
            (.reference, .text(reference)), (.email, .text(email)), (.phone, .text(phone)),
            (.msi, .integer(Int64(msi))), (.originalID, .text(originalID)), (.attemptID, .text(attemptID)),
            (.reader, .text(reader)), (.owner, .text(owner)), (.identifierScope, .text(rule.scope)),
            (.requestDigest, .text(rule.digest)), (.resolveAt, .integer(resolveAt)),
        ]
    }
}

extension IdentifierRule {
    fileprivate var scope: String {
        if case .once(let scope, _) = self { scope } else { "" }
    }

    fileprivate var digest: String? {
        if case .once(_, let digest) = self { digest } else { nil }
    }
}
