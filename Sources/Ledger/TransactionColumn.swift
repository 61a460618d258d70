/// The columns of the table `transactions`, in the order in which they are created and selected: the raw value is the
/// position.
enum TransactionColumn: Int32, CaseIterable {
    case id
    case kind
    case state
    case outcome
    case createdAt
    case updatedAt
    case approvedAt
    case amount
    case tip
    case currency
    case identifier
    case reference
    case email
    case phone
    case msi
    case originalID
    case attemptID
    case reader
    case responseCode
    case authorisation
    case lastFour
    case cardBrand
    case arqc
    case aid
    case appLabel
    case cardholderName
    case bank
    case accountType
    case statusCode
    case statusInfo
    case batch
    case receipt
    case owner
    case identifierScope
    case requestDigest
    case approvedAmount
    case hostReference
    case entryMode
    case resolveAt
    case resolveTries
    case offline
    case returnedAs

    /// As it is on disk.
    var name: String { Self.names[Int(rawValue)] }

    static let list = names.joined(separator: ", ")

    static let count = Int32(allCases.count)

    private static let names = [
        "id", "kind", "state", "outcome", "created_at", "updated_at", "approved_at", "amount", "tip", "currency",
        "identifier", "reference", "email", "phone", "msi", "original_id", "attempt_id", "reader", "response_code",
        "authorisation", "last_four", "card_brand", "arqc", "aid", "app_label", "cardholder_name", "bank",
        "account_type", "status_code", "status_info", "batch", "receipt", "owner", "identifier_scope",
        "request_digest", "approved_amount", "host_reference", "entry_mode", "resolve_at", "resolve_tries",
        "offline", "returned_as",
    ]
}

extension TransactionRecord {
    /// Reads a row selected with `TransactionColumn.list`.
    init(row: SQLiteRow) throws(LedgerError) {
        func text(_ column: TransactionColumn) -> String? { row.text(column.rawValue) }
        func integer(_ column: TransactionColumn) -> Int64? { row.integer(column.rawValue) }
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
        offline = try text(.offline).map { (name) throws(LedgerError) in
            guard let state = OfflineState(rawValue: name) else {
                throw .corrupt("a row of the table transactions does not hold what it must")
            }
            return state
        }
        returnedAs = try text(.returnedAs).map { (name) throws(LedgerError) in
            guard let operation = ReturnOperation(rawValue: name) else {
                throw .corrupt("a row of the table transactions does not hold what it must")
            }
            return operation
        }
    }

    /// What the schema lets in, in minor units. A file that was changed by other means may hold anything, and sums of it
    /// must not overflow.
    private static let amounts: ClosedRange<Int64> = 0...999_999_999_999
}

extension NewTransaction {
    static let columns: [TransactionColumn] = [
        .id, .kind, .state, .createdAt, .updatedAt, .amount, .tip, .currency, .identifier, .reference, .email, .phone,
        .msi, .originalID, .attemptID, .reader, .owner, .identifierScope, .requestDigest, .resolveAt, .returnedAs,
    ]

    /// In the order of `columns`.
    func values(kind: TransactionKind, originalID: String?, rule: IdentifierRule, at: Int64) -> [SQLiteValue] {
        [
            .text(id), .text(kind.rawValue), .text(lastState.rawValue), .integer(at), .integer(at), .integer(amount),
            .integer(tip), .integer(Int64(currency)), .text(identifier), .text(reference), .text(email), .text(phone),
            .integer(Int64(msi)), .text(originalID), .text(attemptID), .text(reader), .text(owner), .text(rule.scope),
            .text(rule.digest), .integer(resolveAt), .text(returnedAs?.rawValue),
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
