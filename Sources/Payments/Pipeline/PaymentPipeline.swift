public import EMV
public import Gateways
public import Ledger
public import Transport

/// Takes payments: writes the intention, then acts, then writes what came of it, then tells the caller. A value with its
/// collaborators; one of it may run several payments at a time, on different readers.
public struct PaymentPipeline: Sendable {
    public let ledger: Ledger
    /// This run of the program. Two pipelines do not share it: each tells by it which open payments are its own.
    public let owner: RunningOwner
    public let gateway: any Gateway
    public let terminal: TerminalConfiguration
    public let merchantName: String
    public let clock: any MonotonicClock
    public let wallClock: any WallClock
    public let random: any RandomSource
    public let zone: TimeZoneRule
    public let limits: TimeLimits
    public let rules: SaleRules
    /// With which receipts are sealed; nil: they are not, and `readerctl receipt` refuses them.
    public let receiptSeal: ReceiptSeal?
    /// Nil: every sale needs the host, and what is stored from before stays stored.
    public var offline: OfflineSettings?
    /// The cards of this run are simulated: no sale of it is a payment, whoever approves it.
    public var hasTestCards = false
    let underWay = PaymentsUnderWay()
    /// Told of each place that is passed. Only tests listen.
    package var crashPoints: @Sendable (CrashPoint) -> Void = { _ in }

    /// How long each step may take.
    public struct TimeLimits: Sendable, Hashable {
        /// From "insert card" to the card.
        public var card = Duration.seconds(60)
        /// The dialogue with the card before the issuer is asked, and again after its answer.
        public var dialogue = Duration.seconds(30)
        /// The same before the issuer is asked, at a reader that runs EMV itself: in it the person may choose an application
        /// and enter a PIN.
        public var readerDialogue = Duration.seconds(60)
        /// The issuer's answer.
        public var host = Duration.seconds(60)

        public init() {}
    }

    public init(
        ledger: Ledger, owner: RunningOwner, gateway: any Gateway, terminal: TerminalConfiguration,
        merchantName: String,
        clock: any MonotonicClock, wallClock: any WallClock, random: any RandomSource, zone: TimeZoneRule,
        limits: TimeLimits = TimeLimits(), rules: SaleRules = SaleRules(),
        receiptSeal: ReceiptSeal? = nil
    ) {
        self.ledger = ledger
        self.owner = owner
        self.gateway = gateway
        self.terminal = terminal
        self.merchantName = merchantName
        self.clock = clock
        self.wallClock = wallClock
        self.random = random
        self.zone = zone
        self.limits = limits
        self.rules = rules
        self.receiptSeal = receiptSeal
    }

    func crash(_ point: CrashPoint) { crashPoints(point) }

    var terminalIdentity: TerminalIdentity {
        TerminalIdentity(
            terminalID: terminal.terminalIdentification, merchantID: terminal.merchantIdentifier,
            country: terminal.countryCode)
    }

    /// The present local time of the merchant: `2026-03-02 12:00:05`.
    func localTime() -> String {
        zone.civilTime(atMilliseconds: wallClock.nowMilliseconds()).text
    }

    /// The present local time of the merchant, as the card and the host get it.
    func transactionTime() -> TransactionTime {
        let time = zone.civilTime(atMilliseconds: wallClock.nowMilliseconds())
        return TransactionTime(
            year: time.year, month: time.month, day: time.day, hour: time.hour, minute: time.minute,
            second: time.second)
    }
}

extension LocalDateTime {
    init?(_ time: TransactionTime) {
        self.init(date: time.dateBCD, time: time.timeBCD)
    }
}
