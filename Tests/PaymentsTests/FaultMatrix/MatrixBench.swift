import EMV
import FirmwareCores
import Gateways
import JSONText
import Ledger
import Money
import ReaderWire
import Readers
import Synchronization
import Testing
import Transport

@testable import InProcessMock
@testable import Payments

/// A card and the level of the reader that it is put into.
struct MatrixDialogue: Sendable, Hashable, CustomTestStringConvertible {
    let card: String
    let level: String

    var testDescription: String { "\(card) at \(level) level" }

    static let all = [
        MatrixDialogue(card: "visa-credit", level: "extended"),
        MatrixDialogue(card: "mastercard-debit", level: "short"),
        MatrixDialogue(card: "visa-credit", level: "tpdu"),
        MatrixDialogue(card: "visa-t0", level: "tpdu"),
    ]
}

/// A whole kiosk in this process: reader firmware, driver, pipeline, ledger on disk, issuer. Time is virtual.
final class MatrixBench: Sendable {
    static let amount: Int64 = 100_00

    let clock = VirtualClock()
    let device: InProcessDevice
    let issuer: IssuerSimulator
    let ledger: Ledger
    let directory: MatrixDirectory
    private let pipeline: PaymentPipeline
    private let descriptor: CCIDClassDescriptor
    private let heard = Mutex<[String]>([])

    /// - Parameter losesReversals: the issuer's host is out of reach as soon as it has authorised.
    init(_ dialogue: MatrixDialogue, losesReversals: Bool = false) async throws {
        device = InProcessDevice(
            core: try CCIDReaderCore.make(options: ["card": dialogue.card, "level": dialogue.level]), clock: clock)
        descriptor = try #require(
            CCIDClassDescriptor.find(in: Array(device.descriptors.configuration.dropFirst(18))))
        issuer = try IssuerSimulator(clock: clock)
        directory = try MatrixDirectory()
        ledger = try await Ledger.open(directory: directory.path)
        pipeline = try PaymentPipeline(
            ledger: ledger, owner: RunningOwner.begin(in: directory.path),
            gateway: losesReversals ? OneWayGateway(issuer) : issuer, terminal: .mexicanKiosk,
            merchantName: "Matrix", clock: clock,
            wallClock: MatrixWallClock(), random: MatrixRandom(), zone: TimeZoneRule(fixedOffset: -6 * 3600))
    }

    /// Commands that the reader has taken since the bench was made.
    var frames: Int { device.withCore { ($0 as? CCIDReaderCore)?.framesSeen ?? 0 } }

    var hasTransfersInFlight: Bool { device.withState { $0.device.hasPendingTransfers } }

    /// Everything that anybody could have read or logged so far.
    var strings: [String] { heard.withLock { $0 } }

    func steer(_ command: String) {
        #expect(device.steer(command) == nil)
    }

    /// The person puts the plug and the card back.
    func restore() {
        _ = device.steer("faults clear")
        if !device.isPlugged { steer("plug") }
        // Complains when the card never left.
        _ = device.steer("insert")
    }

    func sale(progress: @escaping @Sendable (PaymentProgress) -> Void = { _ in }) async throws -> PaymentResult {
        let amount = try #require(Amount(minorUnits: Self.amount, currency: .mxn))
        let request = try SaleRequest(amount: amount, details: RequestDetails(reference: "matrix"))
        let result = await pipeline.sale(
            request, openReader: { () async throws(ReaderError) in try await self.openReader() }, progress: progress)
        try await note(result)
        return result
    }

    private func openReader() async throws(ReaderError) -> OpenedReader {
        .channel(
            try await CCIDReader.open(
                device.open(), descriptor: descriptor, interfaceNumber: 0, model: "Matrix", clock: clock,
                until: .after(.seconds(10), on: clock)))
    }

    private func note(_ result: PaymentResult) async throws {
        var strings = ["\(result)", result.response.jsonValue.compactText]
        if let failure = result.failure { strings += ["\(failure)", failure.sentence] }
        if !result.response.transactionID.isEmpty {
            let record = try await ledger.transaction(result.response.transactionID)
            strings.append("\(record)")
            strings += try await ledger.journal(of: record.id).map { "\($0)" }
            if let receipt = record.receipt.flatMap(Receipt.init(json:)) {
                strings += [receipt.text(copy: .merchant, language: .spanish), "\(receipt)"]
                strings.append(receipt.html(copy: .cardholder, language: .english))
            }
        }
        heard.withLock { $0 += strings }
    }
}

/// Authorises, and cannot be reached for anything else.
private struct OneWayGateway: Gateway {
    let name = "one-way"
    private let issuer: IssuerSimulator

    init(_ issuer: IssuerSimulator) {
        self.issuer = issuer
    }

    func authorise(
        _ request: AuthorisationRequest, until deadline: Deadline
    ) async throws(GatewayError) -> AuthorisationResponse {
        try await issuer.authorise(request, until: deadline)
    }

    func forward(
        _ advice: OfflineAdvice, until deadline: Deadline
    ) async throws(GatewayError) -> AuthorisationResponse { throw unreachable }

    func refund(
        _ request: RefundAuthorisation, until deadline: Deadline
    ) async throws(GatewayError) -> AuthorisationResponse { throw unreachable }

    func reverse(
        _ request: ReversalRequest, until deadline: Deadline
    ) async throws(GatewayError) -> ReversalResponse { throw unreachable }

    func settle(
        _ request: SettlementRequest, until deadline: Deadline
    ) async throws(GatewayError) -> SettlementResponse {
        throw unreachable
    }

    func status(of attempt: AttemptID, until deadline: Deadline) async throws(GatewayError) -> AttemptStatus {
        throw unreachable
    }

    private var unreachable: GatewayError { .noAnswer(reason: "the line is dead") }
}

/// Noon in Mexico City on 2 March 2026.
private struct MatrixWallClock: WallClock {
    func nowMilliseconds() -> Int64 { 1_772_474_400_000 }
}

/// SplitMix64 from a fixed seed: the same payment every time.
private final class MatrixRandom: RandomSource {
    private let state = Mutex<UInt64>(0x4D61_7472_6978)

    func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in
            state.withLock { state in
                state &+= 0x9E37_79B9_7F4A_7C15
                var mixed = state
                mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
                mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
                return UInt8(truncatingIfNeeded: mixed ^ (mixed >> 31))
            }
        }
    }
}
