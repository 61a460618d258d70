import BERTLV
import Crypto
import Money

/// The state that the stages share: what the terminal brought, what the card said, what was found so far.
struct TransactionContext: Sendable {
    let terminal: TerminalConfiguration
    let transaction: TransactionData

    var card = CardObjects()
    var tvr = TerminalVerificationResults()
    var tsi = TransactionStatusInformation()
    /// Tag 9F34: method, condition, result (Book 4, 6.3.4.5).
    var cvmResults: [UInt8] = [0x3F, 0x00, 0x00]
    /// Tag 8A; empty until there is one.
    var responseCode: [UInt8] = []
    /// Tag 91; empty until the issuer sent it.
    var issuerAuthenticationData: [UInt8] = []
    /// The application that was selected at last, and how the receipt names it.
    var application: SelectedApplication?
    var candidate: Candidate?
    /// Tag 9F5B: five bytes a script.
    var scriptResults: [UInt8] = []
    /// Tag 98, when a DOL asks for it.
    var certificateHash: [UInt8]?
    /// Records marked in the AFL for offline data authentication, in order.
    var staticData = StaticAuthenticationData()
    /// What was sent to the card, byte for byte: CDA signs over it (Book 2, 6.6).
    var processingOptionsData: [UInt8] = []
    var cdol1Data: [UInt8] = []
    var cdol2Data: [UInt8] = []
    /// What the terminal had found when CDOL1 was filled, and what the card had said with its first cryptogram: what the
    /// host must be told (Book 3, 10.8).
    var onlineResults: OnlineResults?
    var onlineCard: CardObjects?

    init(terminal: TerminalConfiguration, transaction: TransactionData) {
        self.terminal = terminal
        self.transaction = transaction
    }

    /// The value of an object: the terminal's own first, so that a card cannot replace it, then the card's.
    // Where it is inlined, the whole context is copied first.
    @inline(never)
    func value(of tag: Tag) -> [UInt8]? {
        terminalValue(of: tag) ?? card[tag]
    }

    /// Fills a DOL with present values (Book 3, 5.4).
    func build(_ list: DataObjectList) -> [UInt8] {
        list.build(value: { value(of: $0) }, format: DataDictionary.dolFormat(of:))
    }

    /// Computes tag 98 if `list` asks for it: SHA-1 over the data of the card's TDOL, else of the terminal's default one,
    /// which the TVR then says (Book 3, 5.2.2).
    mutating func prepareCertificateHash(for list: DataObjectList) {
        guard list.entries.contains(where: { $0.tag == .transactionCertificateHash }) else { return }
        let bytes: [UInt8]
        if let own = card[.transactionCertificateDOL] {
            bytes = own
        } else {
            bytes = application?.terminalEntry.defaultTDOL ?? []
            tvr.set(.defaultTDOLUsed)
        }
        guard let dol = try? DataObjectList(parsing: bytes) else { return }
        certificateHash = try? SHA1.digest(of: build(dol))
    }

    /// A new start after an application was dropped: what the card said about it is forgotten.
    mutating func forgetApplication() {
        card.wipe()
        tvr = TerminalVerificationResults()
        tsi = TransactionStatusInformation()
        application = nil
        staticData.wipe()
        processingOptionsData = []
        cdol1Data = []
    }

    /// Lets go of what the card and its issuer said.
    mutating func wipe() {
        card.wipe()
        staticData.wipe()
        // A card may ask for its own account number in a DOL.
        Crypto.wipe(&processingOptionsData)
        Crypto.wipe(&cdol1Data)
        Crypto.wipe(&cdol2Data)
        onlineResults = nil
        onlineCard = nil
        issuerAuthenticationData = []
        application = nil
        candidate = nil
    }

    private func terminalValue(of tag: Tag) -> [UInt8]? {
        switch tag {
        case .amountAuthorisedNumeric: transaction.amount.bcd12
        case .amountOtherNumeric: transaction.otherAmount.bcd12
        case .amountAuthorisedBinary: Self.binary4(transaction.amount.minorUnits)
        case .amountOtherBinary: Self.binary4(transaction.otherAmount.minorUnits)
        case .terminalCountryCode: Self.numeric2(terminal.countryCode)
        case .transactionCurrencyCode: Self.numeric2(transaction.amount.currency.numeric)
        case .transactionCurrencyExponent: [UInt8(transaction.amount.currency.exponent)]
        case .transactionDate: transaction.time.dateBCD
        case .transactionTime: transaction.time.timeBCD
        case .transactionType: [transaction.type.rawValue]
        case .unpredictableNumber: transaction.unpredictableNumber
        case .transactionSequenceCounter: Self.sequence(transaction.sequenceCounter)
        case .terminalVerificationResults: tvr.bytes
        case .transactionStatusInformation: tsi.bytes
        case .cvmResults: cvmResults
        case .terminalCapabilities: terminal.capabilities.bytes
        case .additionalTerminalCapabilities: terminal.additionalCapabilities
        case .terminalType: [terminal.terminalType.code]
        case .terminalFloorLimit: application.map { Self.binary4($0.terminalEntry.floorLimit) }
        case .posEntryMode: [0x05]
        case .merchantCategoryCode: terminal.merchantCategoryCode
        case .merchantIdentifier: Array(terminal.merchantIdentifier.utf8.prefix(15))
        case .terminalIdentification: Array(terminal.terminalIdentification.utf8.prefix(8))
        case .interfaceDeviceSerialNumber: Array(terminal.interfaceDeviceSerialNumber.utf8.prefix(8))
        case .transactionCategoryCode: terminal.transactionCategoryCode.map { [$0] }
        case .applicationIdentifierTerminal: application?.terminalEntry.aid
        case .applicationVersionNumberTerminal: application?.terminalEntry.versionNumber
        case .issuerScriptResults: scriptResults.isEmpty ? nil : scriptResults
        case .transactionCertificateHash: certificateHash
        case .authorisationResponseCode: responseCode.isEmpty ? nil : responseCode
        case .issuerAuthenticationData: issuerAuthenticationData.isEmpty ? nil : issuerAuthenticationData
        default: nil
        }
    }

    private static func numeric2(_ number: UInt16) -> [UInt8] {
        [TransactionTime.bcd(Int(number) / 100), TransactionTime.bcd(Int(number) % 100)]
    }

    private static func binary4(_ number: Int64) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: min(number, Int64(UInt32.max)) >> $0) }
    }

    private static func sequence(_ counter: UInt32) -> [UInt8] {
        [1_000_000, 10_000, 100, 1].map { TransactionTime.bcd(Int(counter) / $0 % 100) }
    }
}
