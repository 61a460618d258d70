extension TransactionChange {
    /// The columns that it changes, always in the same order, so that equal steps share a prepared statement.
    var values: [(column: TransactionColumn, value: SQLiteValue)] {
        var values: [(column: TransactionColumn, value: SQLiteValue)] = []
        // Room for what a card tells and what `RowUpdate` adds, in one piece.
        values.reserveCapacity(12)
        func add(_ column: TransactionColumn, _ text: String?) {
            if let text { values.append((column, .text(text))) }
        }
        func add(_ column: TransactionColumn, _ integer: Int64?) {
            if let integer { values.append((column, .integer(integer))) }
        }
        add(.outcome, outcome)
        add(.approvedAt, approvedAt)
        add(.amount, amount)
        add(.tip, tip)
        add(.msi, msi.map(Int64.init))
        add(.attemptID, attemptID)
        add(.reader, reader)
        add(.responseCode, responseCode)
        add(.authorisation, authorisation)
        add(.lastFour, lastFour)
        add(.cardBrand, cardBrand)
        add(.arqc, arqc)
        add(.aid, aid)
        add(.appLabel, appLabel)
        add(.cardholderName, cardholderName)
        add(.bank, bank)
        add(.accountType, accountType)
        add(.statusCode, statusCode)
        add(.statusInfo, statusInfo)
        add(.batch, batch)
        add(.receipt, receipt)
        add(.owner, owner)
        add(.approvedAmount, approvedAmount)
        add(.hostReference, hostReference)
        add(.entryMode, entryMode)
        add(.offline, offline?.rawValue)
        add(.returnedAs, returnedAs?.rawValue)
        return values
    }
}

extension TransactionRecord {
    /// What it is after the step.
    func after(_ transition: Transition, at: Int64) -> Self {
        var record = self
        record.state = transition.to
        record.updatedAt = transition.at ?? at
        record.take(transition.change)
        switch transition.recovery {
        case .keep: break
        case .none: record.resolveAt = nil
        case .due(let at, let tries):
            record.resolveAt = at
            record.resolveTries = tries
        }
        return record
    }

    private mutating func take(_ change: TransactionChange) {
        outcome = change.outcome ?? outcome
        approvedAt = change.approvedAt ?? approvedAt
        amount = change.amount ?? amount
        tip = change.tip ?? tip
        msi = change.msi ?? msi
        attemptID = change.attemptID ?? attemptID
        reader = change.reader ?? reader
        responseCode = change.responseCode ?? responseCode
        authorisation = change.authorisation ?? authorisation
        lastFour = change.lastFour ?? lastFour
        cardBrand = change.cardBrand ?? cardBrand
        arqc = change.arqc ?? arqc
        aid = change.aid ?? aid
        appLabel = change.appLabel ?? appLabel
        cardholderName = change.cardholderName ?? cardholderName
        bank = change.bank ?? bank
        accountType = change.accountType ?? accountType
        statusCode = change.statusCode ?? statusCode
        statusInfo = change.statusInfo ?? statusInfo
        batch = change.batch ?? batch
        receipt = change.receipt ?? receipt
        owner = change.owner ?? owner
        approvedAmount = change.approvedAmount ?? approvedAmount
        hostReference = change.hostReference ?? hostReference
        entryMode = change.entryMode ?? entryMode
        offline = change.offline ?? offline
        returnedAs = change.returnedAs ?? returnedAs
    }

    /// What a new transaction is.
    init(_ new: NewTransaction, kind: TransactionKind, originalID: String?, _ rule: IdentifierRule, at: Int64) {
        self.init(
            id: new.id, kind: kind, state: new.lastState, createdAt: at, updatedAt: at, amount: new.amount,
            tip: new.tip, currency: new.currency, msi: new.msi)
        self.originalID = originalID
        identifier = new.identifier
        reference = new.reference
        email = new.email
        phone = new.phone
        attemptID = new.attemptID
        reader = new.reader
        owner = new.owner
        resolveAt = new.resolveAt
        returnedAs = new.returnedAs
        if case .once(let scope, let digest) = rule {
            identifierScope = scope
            requestDigest = digest
        }
    }
}
