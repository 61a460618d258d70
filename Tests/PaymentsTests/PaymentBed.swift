import EMV
import FirmwareCores
import Gateways
import Glibc
import InProcessMock
import Ledger
import Money
import Payments
import ReaderWire
import Readers
import Synchronization
import Testing
import Transport
import USBDescriptors

/// Everything that a payment needs, in this process: simulated reader and card, simulated issuers, a ledger in a
/// directory of its own, and clocks that stand still.
struct PaymentBed {
    /// 2 March 2026, 12:00:05 in Mexico City.
    static let noon: Int64 = 1_772_474_405_000

    let clock = VirtualClock()
    let wall: SettableWallClock
    let device: InProcessDevice
    let issuers: IssuerSimulator
    let gateway: WatchedGateway
    let directory: PaymentDirectory
    let ledger: Ledger
    let owner: RunningOwner
    let seal: ReceiptSeal
    let pipeline: PaymentPipeline

    /// - Parameters:
    ///   - events: what happens around the issuer's answers.
    ///   - host: what stands between the pipeline and the issuers.
    init(
        card: String = "visa-credit", random: any RandomSource = PlainRandom(),
        events: GatewayEvents = GatewayEvents(), wall: SettableWallClock = SettableWallClock(PaymentBed.noon),
        rules: SaleRules = SaleRules(), host: (IssuerSimulator) -> any Gateway = { $0 }
    ) async throws {
        self.wall = wall
        device = InProcessDevice(core: try CCIDReaderCore.make(options: ["card": card]), clock: clock)
        issuers = try IssuerSimulator(clock: clock)
        directory = try PaymentDirectory()
        ledger = try await Ledger.open(directory: directory.path)
        gateway = WatchedGateway(host(issuers), events, ledger)
        seal = try ReceiptKeyFile(dataDirectory: directory.path).open(now: Self.noon, random: SystemRandomSource())
        owner = try RunningOwner.begin(in: directory.path)
        pipeline = PaymentPipeline(
            ledger: ledger, owner: owner, gateway: gateway, terminal: .mexicanKiosk, merchantName: "Cinco & Diez",
            clock: clock,
            wallClock: wall, random: random, zone: .mexicoCity(), rules: rules, receiptSeal: seal)
    }

    func sale(
        _ amount: String, tip: String? = nil, instalments: Instalments = .single,
        details: RequestDetails? = nil, progress: @escaping @Sendable (PaymentProgress) -> Void = { _ in }
    ) async throws -> PaymentResult {
        let request = try SaleRequest(
            amount: pesos(amount), tip: tip.map { try pesos($0) }, instalments: instalments,
            details: details ?? RequestDetails())
        return await pipeline.sale(
            request, openReader: { () async throws(ReaderError) in try await self.openReader() }, progress: progress)
    }

    func refund(_ id: String, _ amount: String? = nil, details: RequestDetails? = nil) async throws -> PaymentResult {
        await pipeline.refund(
            try RefundRequest(
                transactionID: id, amount: amount.map { try pesos($0) }, details: details ?? RequestDetails()))
    }

    /// Another program at the same ledger and the same host.
    func otherProgram(random: any RandomSource = CountingRandom()) throws -> PaymentPipeline {
        PaymentPipeline(
            ledger: ledger, owner: try RunningOwner.begin(in: directory.path), gateway: gateway,
            terminal: .mexicanKiosk, merchantName: "Cinco & Diez", clock: clock, wallClock: wall,
            random: random, zone: .mexicoCity(), rules: pipeline.rules, receiptSeal: seal)
    }

    /// Makes an attempt for everything that is open.
    @discardableResult
    func recover(_ selection: Recovery.Selection = .all) async throws -> [Resolution] {
        try await Recovery(pipeline).run(selection, until: .after(.seconds(600), on: clock))
    }

    /// The id of an approved sale, one minute before now.
    func approvedSale(_ amount: String, tip: String? = nil) async throws -> String {
        let result = try await sale(amount, tip: tip)
        try #require(result.response.outcome == .approved)
        wall.move(seconds: 60)
        return result.response.transactionID
    }

    func state(_ id: String) async throws -> String {
        try await ledger.transaction(id).state.rawValue
    }

    /// The receipt in the ledger, checked.
    func receipt(_ id: String) async throws -> Receipt? {
        try StoredReceipt(of: try await ledger.transaction(id), seal: seal)?.receipt
    }

    /// What the card saw of its last transaction.
    var cardLog: CardTransaction? {
        device.withCore { ($0 as? CCIDReaderCore)?.card?.log.last }
    }

    func openReader() async throws(ReaderError) -> OpenedReader {
        try await device.openCCIDReader(clock: clock)
    }
}

func pesos(_ text: String) throws -> Amount { try Amount(parsing: text, currency: .mxn) }

final class SettableWallClock: WallClock {
    private let time: Mutex<Int64>
    private let actions = Mutex<[@Sendable () -> Void]>([])

    init(_ milliseconds: Int64) { time = Mutex(milliseconds) }

    func nowMilliseconds() -> Int64 {
        let action = actions.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        action?()
        return time.withLock { $0 }
    }

    /// Each of the next readings does one of these first.
    func onNextReadings(_ next: [@Sendable () -> Void]) { actions.withLock { $0 = next } }

    func move(seconds: Int64) { time.withLock { $0 += seconds * 1000 } }
}

/// 00, 01, 02 … every time.
struct PlainRandom: RandomSource {
    func bytes(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0) } }
}

/// Never the same twice, the same in every run.
final class CountingRandom: RandomSource {
    private let next = Mutex(UInt64(0))

    func bytes(_ count: Int) -> [UInt8] {
        let number = next.withLock { next in
            next += 1
            return next
        }
        return (0..<count).map { $0 < 12 ? UInt8(truncatingIfNeeded: number >> (UInt64($0) * 5)) & 31 : 0 }
    }
}

/// What happens to the ledger while the issuer has the word.
struct GatewayEvents: Sendable {
    var afterAuthorisation: @Sendable (Ledger) async -> Void = { _ in }
    var afterRefund: @Sendable (Ledger) async -> Void = { _ in }
    var afterReversal: @Sendable (Ledger) async -> Void = { _ in }
    /// What the host says to a void of an approved sale, which it does not carry out; nil: it does.
    var answerToVoids: @Sendable () -> ReversalResponse? = { nil }
    /// A reversal is booked, and its answer does not come.
    var losesReversals: @Sendable () -> Bool = { false }
    var afterAdvice: @Sendable (Ledger) async -> Void = { _ in }
    /// An advice is booked, and its answer does not come.
    var losesAdvices: @Sendable () -> Bool = { false }
    /// There is no line: nothing leaves.
    var hasNoLine: @Sendable () -> Bool = { false }
    /// Before the host compares a batch, and afterwards.
    var beforeSettlement: @Sendable (SettlementRequest, Ledger) async -> Void = { _, _ in }
    var afterSettlement: @Sendable (SettlementRequest) -> GatewayError? = { _ in nil }
    /// Nothing gets an answer, and nothing is booked.
    var isDown: @Sendable () -> Bool = { false }
    /// The host knows no inquiries.
    var answersInquiries = true
}

/// A gateway that remembers what it was asked.
final class WatchedGateway: Gateway {
    let name = "watched"
    private let inner: any Gateway
    private let events: GatewayEvents
    private let ledger: Ledger
    private let asked = Mutex<[AuthorisationRequest]>([])

    init(_ inner: any Gateway, _ events: GatewayEvents, _ ledger: Ledger) {
        self.inner = inner
        self.events = events
        self.ledger = ledger
    }

    var answersInquiries: Bool { events.answersInquiries }

    private let reversed = Mutex<[ReversalRequest]>([])
    private let settled = Mutex<[SettlementRequest]>([])
    private let questions = Mutex(0)
    private let advised = Mutex<[OfflineAdvice]>([])
    private let refunded = Mutex<[RefundAuthorisation]>([])

    var requests: [AuthorisationRequest] { asked.withLock { $0 } }
    var advices: [OfflineAdvice] { advised.withLock { $0 } }
    var refunds: [RefundAuthorisation] { refunded.withLock { $0 } }
    var reversals: [ReversalRequest] { reversed.withLock { $0 } }
    var settlements: [SettlementRequest] { settled.withLock { $0 } }
    var statusQuestions: Int { questions.withLock { $0 } }

    func authorise(
        _ request: AuthorisationRequest, until deadline: Deadline
    ) async throws(GatewayError) -> AuthorisationResponse {
        asked.withLock { $0.append(request) }
        try checkIsUp()
        let answer = try await inner.authorise(request, until: deadline)
        await events.afterAuthorisation(ledger)
        return answer
    }

    func forward(
        _ advice: OfflineAdvice, until deadline: Deadline
    ) async throws(GatewayError) -> AuthorisationResponse {
        try checkIsUp()
        advised.withLock { $0.append(advice) }
        let answer = try await inner.forward(advice, until: deadline)
        await events.afterAdvice(ledger)
        if events.losesAdvices() { throw .noAnswer(reason: "the answer is lost") }
        return answer
    }

    func refund(
        _ request: RefundAuthorisation, until deadline: Deadline
    ) async throws(GatewayError) -> AuthorisationResponse {
        try checkIsUp()
        refunded.withLock { $0.append(request) }
        let answer = try await inner.refund(request, until: deadline)
        await events.afterRefund(ledger)
        return answer
    }

    func reverse(
        _ request: ReversalRequest, until deadline: Deadline
    ) async throws(GatewayError) -> ReversalResponse {
        try checkIsUp()
        reversed.withLock { $0.append(request) }
        if request.reason == .void, let answer = events.answerToVoids() { return answer }
        let answer = try await inner.reverse(request, until: deadline)
        await events.afterReversal(ledger)
        if events.losesReversals() { throw .noAnswer(reason: "the answer is lost") }
        return answer
    }

    func status(of attempt: AttemptID, until deadline: Deadline) async throws(GatewayError) -> AttemptStatus {
        questions.withLock { $0 += 1 }
        try checkIsUp()
        guard answersInquiries else { throw .noAnswer(reason: "this host cannot be asked about an attempt") }
        return try await inner.status(of: attempt, until: deadline)
    }

    func settle(
        _ request: SettlementRequest, until deadline: Deadline
    ) async throws(GatewayError) -> SettlementResponse {
        try checkIsUp()
        settled.withLock { $0.append(request) }
        await events.beforeSettlement(request, ledger)
        let answer = try await inner.settle(request, until: deadline)
        if let loss = events.afterSettlement(request) { throw loss }
        return answer
    }

    private func checkIsUp() throws(GatewayError) {
        if events.hasNoLine() { throw .notSent(reason: "there is no line") }
        if events.isDown() { throw .noAnswer(reason: "the host is down") }
    }
}

/// A directory that goes away at the end of the test.
final class PaymentDirectory: Sendable {
    let path: String

    init() throws {
        var template = Array("/tmp/payments-test-XXXXXX".utf8CString)
        try #require(mkdtemp(&template) != nil)
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit { remove() }

    /// Takes the ledger's files and the directory away.
    func remove() { Self.remove(path) }

    private static func remove(_ path: String) {
        guard let entries = opendir(path) else { return }
        while let entry = readdir(entries) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard name != ".", name != ".." else { continue }
            let inner = path + "/" + name
            if unlink(inner) != 0 { remove(inner) }
        }
        closedir(entries)
        rmdir(path)
    }
}
