import EMV
import FirmwareCores
import Foundation
import Gateways
import InProcessMock
import Ledger
import Money
import Payments
import ReaderWire
import Readers
import Testing
import Transport
import USBDescriptors

/// Sixteen readers take sales at the same time, into one ledger. `make soak` takes 200,000.
@Suite struct ReaderSoakTests {
    /// A simulated host remembers 100,000 attempts; several of them make one that remembers more.
    private final class Hosts: Gateway {
        let name = "hosts"
        let all: [IssuerSimulator]

        init(_ count: Int, clock: VirtualClock) throws {
            all = try (0..<count).map { _ in try IssuerSimulator(clock: clock) }
        }

        private func host(of attempt: AttemptID) -> IssuerSimulator {
            all[attempt.text.utf8.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFFFF } % all.count]
        }

        func authorise(
            _ request: AuthorisationRequest, until deadline: Deadline
        ) async throws(GatewayError) -> AuthorisationResponse {
            try await host(of: request.attempt).authorise(request, until: deadline)
        }

        func forward(
            _ advice: OfflineAdvice, until deadline: Deadline
        ) async throws(GatewayError) -> AuthorisationResponse {
            try await host(of: advice.request.attempt).forward(advice, until: deadline)
        }

        func refund(
            _ request: RefundAuthorisation, until deadline: Deadline
        ) async throws(GatewayError) -> AuthorisationResponse {
            try await host(of: request.originalAttempt).refund(request, until: deadline)
        }

        func reverse(
            _ request: ReversalRequest, until deadline: Deadline
        ) async throws(GatewayError) -> ReversalResponse {
            try await host(of: request.attempt).reverse(request, until: deadline)
        }

        func settle(
            _ request: SettlementRequest, until deadline: Deadline
        ) async throws(GatewayError) -> SettlementResponse {
            .notKept
        }

        func status(of attempt: AttemptID, until deadline: Deadline) async throws(GatewayError) -> AttemptStatus {
            try await host(of: attempt).status(of: attempt, until: deadline)
        }
    }

    /// A reader with a card in it, and the pipeline that uses it; its time is its own.
    private struct Place {
        let clock = VirtualClock()
        let device: InProcessDevice
        let pipeline: PaymentPipeline

        init(_ ledger: Ledger, _ owner: RunningOwner, _ hosts: Hosts) throws {
            device = InProcessDevice(core: try CCIDReaderCore.make(options: ["card": "visa-credit"]), clock: clock)
            pipeline = PaymentPipeline(
                ledger: ledger, owner: owner, gateway: hosts, terminal: .mexicanKiosk, merchantName: "Soak",
                clock: clock, wallClock: SettableWallClock(PaymentBed.noon), random: SystemRandomSource(),
                zone: .mexicoCity())
        }

        func sale(_ number: Int) async throws -> PaymentResult {
            let amounts = ["1.00", "2.50", "50.00", "99.99", "110.00"]
            let request = try SaleRequest(
                amount: pesos(amounts[number % amounts.count]), details: RequestDetails(identifier: "n\(number)"))
            return await pipeline.sale(
                request, openReader: { () async throws(ReaderError) in try await open() })
        }

        private func open() async throws(ReaderError) -> OpenedReader {
            try await device.openCCIDReader(clock: clock)
        }
    }

    @Test("sales through sixteen readers at the same time: no id twice, and ledger equals host")
    func sixteen() async throws {
        let count = ProcessInfo.processInfo.environment["READERKIT_SOAK_SALES"].flatMap(Int.init) ?? 2_000
        let directory = try PaymentDirectory()
        let ledger = try await Ledger.open(directory: directory.path)
        let owner = try RunningOwner.begin(in: directory.path)
        let hosts = try Hosts(max(1, count / 50_000 + 1), clock: VirtualClock())
        let places = try (0..<16).map { _ in try Place(ledger, owner, hosts) }
        let ids = try await withThrowingTaskGroup(of: [String].self) { group in
            for (index, place) in places.enumerated() {
                group.addTask {
                    var ids: [String] = []
                    for number in stride(from: index, to: count, by: places.count) {
                        ids.append(try await place.sale(number).response.transactionID)
                    }
                    return ids
                }
            }
            return try await group.reduce(into: [String]()) { $0 += $1 }
        }
        #expect(ids.count == count && Set(ids).count == count && !ids.contains(""))
        let totals = try await ledger.totals()
        #expect(totals.reduce(0) { $0 + $1.count } == count)
        let states = Set(totals.map(\.state.rawValue))
        #expect(states == ["approved", "declined", "reversed"])
        let approved = totals.filter { $0.state.rawValue == "approved" }.reduce(0) { $0 + $1.amount + $1.tip }
        #expect(approved == hosts.all.reduce(0) { $0 + $1.bookedTotal(in: .mxn) })
        #expect(approved == Int64(count) / 5 * (1_00 + 2_50 + 99_99))
        owner.end()
        await ledger.close()
    }
}
