import Crypto
import EMV
import FirmwareCores
import Gateways
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

/// A kiosk that may approve without the host, with a line that can be cut. Its programs share ledger, host and line.
struct OfflineBed {
    /// What is between the kiosk and its host.
    final class Line: Sendable {
        let isCut = Atomic(false)
        let losesAdvices = Atomic(false)
    }

    static let key = SecretBytes([UInt8](repeating: 0xA7, count: 32))

    let bed: PaymentBed
    let line: Line
    let pipeline: PaymentPipeline

    /// - Parameters:
    ///   - approvals: nil: nothing is approved, and what is stored is forwarded.
    ///   - key: nil: there is none.
    init(
        card: String = "visa-offline", approvals: OfflineSettings.Approvals?? = .none,
        key: SecretBytes? = OfflineBed.key,
        isOnlineOnly: Bool = false, isCut: Bool = true, seals: Bool = false,
        afterAuthorisation: @escaping @Sendable (Ledger) async -> Void = { _ in }
    ) async throws {
        let line = Line()
        line.isCut.store(isCut, ordering: .relaxed)
        let events = GatewayEvents(
            afterAuthorisation: afterAuthorisation, losesAdvices: { line.losesAdvices.load(ordering: .relaxed) },
            hasNoLine: { line.isCut.load(ordering: .relaxed) })
        bed = try await PaymentBed(card: card, random: CountingRandom(), events: events)
        self.line = line
        pipeline = try Self.program(
            bed, owner: bed.owner, approvals ?? Self.approvals(), key, isOnlineOnly: isOnlineOnly,
            seal: seals ? bed.seal : nil)
    }

    /// 300.00 for one, 500.00 in all, three at a time, for a day.
    static func approvals() throws -> OfflineSettings.Approvals {
        OfflineSettings.Approvals(
            perSale: try pesos("300.00"), total: try pesos("500.00"), count: 3, longestWait: .seconds(86_400))
    }

    static func program(
        _ bed: PaymentBed, owner: RunningOwner, _ approvals: OfflineSettings.Approvals?, _ key: SecretBytes?,
        isOnlineOnly: Bool = false, clock: (any MonotonicClock)? = nil, random: any RandomSource = CountingRandom(),
        seal: ReceiptSeal? = nil
    ) throws -> PaymentPipeline {
        var terminal = TerminalConfiguration.mexicanKiosk
        if !isOnlineOnly { terminal.terminalType = .unattendedOfflineWithOnline }
        terminal.certificationAuthorityKeys = try .test()
        for index in terminal.applications.indices { terminal.applications[index].floorLimit = 1_000_00 }
        var pipeline = PaymentPipeline(
            ledger: bed.ledger, owner: owner, gateway: bed.gateway, terminal: terminal,
            merchantName: "Cinco & Diez", clock: clock ?? bed.clock, wallClock: bed.wall, random: random,
            zone: .mexicoCity(), receiptSeal: seal)
        pipeline.offline = key.flatMap { OfflineSettings(key: $0, approvals: approvals) }
        return pipeline
    }

    /// Another program at the same ledger.
    func otherProgram(
        _ approvals: OfflineSettings.Approvals? = nil, key: SecretBytes? = OfflineBed.key
    ) throws -> PaymentPipeline {
        try Self.program(bed, owner: try RunningOwner.begin(in: bed.directory.path), approvals, key)
    }

    func sale(_ amount: String, tip: String? = nil, details: RequestDetails? = nil) async throws -> PaymentResult {
        let request = try SaleRequest(
            amount: pesos(amount), tip: tip.map { try pesos($0) }, details: details ?? RequestDetails())
        return await pipeline.sale(
            request, openReader: { () async throws(ReaderError) in try await bed.openReader() })
    }

    /// The id of a sale that waits for the host, one minute before now.
    func storedSale(_ amount: String) async throws -> String {
        let result = try await sale(amount)
        try #require(result.response.outcome == .approved)
        bed.wall.move(seconds: 60)
        return result.response.transactionID
    }

    @discardableResult
    func recover(_ selection: Recovery.Selection = .all) async throws -> [Resolution] {
        try await Recovery(pipeline).run(selection, until: .after(.seconds(600), on: bed.clock))
    }

    func restore() { line.isCut.store(false, ordering: .relaxed) }

    func record(_ id: String) async throws -> TransactionRecord { try await bed.ledger.transaction(id) }

    /// Count and sum of what is stored.
    func held() async throws -> StoredTotal { try await bed.ledger.storedTotal() }

    var booked: Int64 { bed.issuers.bookedTotal(in: .mxn) }

    var advices: Int { bed.gateway.advices.count }
}
