import AcquirerHost
import Crypto
import EMV
import Foundation
import Gateways
import ISO8583
import Money
import NetworkTransport
import Synchronization
import Testing
import Transport

/// A host on a port of this machine and a gateway that speaks to it, with a directory of their own.
final class HostBed: Sendable {
    struct Line: Sendable {
        var profile = "ascii"
        var framing = MessageFraming.plain
        var mac: ISO8583GatewayOptions.MACMethod?
        var sealsCardData = false
        var sendsAttempts = true
        var signsOn = false
        var echoInterval: Duration?
        var authorisation = ISO8583GatewayOptions.AuthorisationMessage.financial
        var reversal = ISO8583GatewayOptions.ReversalMessage.advice
    }

    /// Of the gateway. Nothing times out unless a test moves it.
    let clock = HandClock()
    /// Of the host: what it does late it does when a test moves it.
    let hostClock = HandClock()
    let script = HostScript()
    let simulator: IssuerSimulator
    let host: AcquirerHost
    let gateway: ISO8583Gateway
    let endpoint: Endpoint
    let directory: String
    private let told: Mutexes

    /// What host and gateway have reported so far.
    final class Mutexes: Sendable {
        let events = Mutex<[HostEvent]>([])
        let late = Mutex<[LateAnswer]>([])
    }

    init(_ line: Line = Line()) throws {
        directory = NSTemporaryDirectory() + "host-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        let told = Mutexes()
        self.told = told
        simulator = try IssuerSimulator(clock: hostClock)
        let profile = try #require(try Profile.builtIn(line.profile))
        let any = try #require(Endpoint("127.0.0.1:0"))
        var hostOptions = AcquirerHostOptions(endpoint: any, wireProtocol: .iso8583(profile, line.framing))
        let key = SecretBytes([UInt8](1...16))
        hostOptions.mac = line.mac.map { ($0, key) }
        hostOptions.cardDataKey = line.sealsCardData ? SecretBytes([UInt8](1...32)) : nil
        hostOptions.patience = .seconds(60)
        host = try AcquirerHost(hostOptions, simulator: simulator, script: script, clock: hostClock) { event in
            told.events.withLock { $0.append(event) }
        }
        endpoint = try host.start()
        var options = ISO8583GatewayOptions(endpoint: endpoint, profile: profile)
        options.framing = line.framing
        options.mac = line.mac.map { ($0, key) }
        options.cardDataKey = hostOptions.cardDataKey
        options.sendsAttempts = line.sendsAttempts
        options.signsOn = line.signsOn
        options.echoInterval = line.echoInterval
        options.connectTimeout = .seconds(1_000_000)
        options.authorisation = line.authorisation
        options.reversal = line.reversal
        gateway = try ISO8583Gateway(
            options, terminal: Self.terminal, tracePath: directory + "/trace", clock: clock,
            lateAnswers: { late in told.late.withLock { $0.append(late) } })
    }

    func close() async {
        await gateway.close()
        await host.stop()
        try? FileManager.default.removeItem(atPath: directory)
    }

    var events: [HostEvent] { told.events.withLock { $0 } }
    var late: [LateAnswer] { told.late.withLock { $0 } }
    var net: Int64 { host.totals(in: .mxn).net }

    func soon(_ duration: Duration = .seconds(30)) -> Deadline { .after(duration, on: clock) }

    /// Waits until `isSo`, for a minute at most.
    func until(_ isSo: () -> Bool) async {
        let clock = SystemMonotonicClock.shared
        let end = Deadline.after(.seconds(60), on: clock)
        while !isSo(), !end.hasPassed(on: clock) {
            await clock.sleep(until: clock.now().advanced(by: .milliseconds(2)))
        }
    }

    /// Moves the gateway's clock on unless `isSo`, and answers that.
    func advance(by duration: Duration, orHas isSo: Bool) -> Bool {
        if !isSo { clock.advance(by: duration) }
        return isSo
    }

    /// Whether the host has heard of such a message.
    func hasHeard(_ operation: HostOperation) -> Bool {
        events.contains { $0.operation == operation }
    }

    /// Runs `call`; when no answer is to come, the gateway's time runs out as soon as the host has heard the question.
    func settle<Value: Sendable>(
        _ operation: HostOperation, isAnswered: Bool,
        _ call: @escaping @Sendable () async throws(GatewayError) -> Value
    ) async -> Result<Value, GatewayError> {
        let task = Task { () -> Result<Value, GatewayError> in
            do throws(GatewayError) {
                return .success(try await call())
            } catch {
                return .failure(error)
            }
        }
        if !isAnswered {
            await until { hasHeard(operation) }
            clock.advance(by: .seconds(60))
        }
        return await task.value
    }

    static let terminal = TerminalIdentity(terminalID: "KIOSK001", merchantID: "READERKIT000001", country: 484)
}

func sale(
    _ attempt: String, _ minorUnits: Int64 = 123_45, tip: Int64 = 0, pan: String = "4761739001010119",
    pinBlock: PINBlock? = nil
) throws -> AuthorisationRequest {
    AuthorisationRequest(
        attempt: try #require(AttemptID(attempt)), amount: try money(minorUnits), tip: try money(tip), instalments: 3,
        pan: try #require(PAN(digits: pan.utf8.map { $0 - 0x30 })), panSequenceNumber: 1,
        expiry: try #require(CardExpiry(year: 2031, month: 12)), entryMode: .magneticStripe, chipData: [],
        pinBlock: pinBlock, terminal: HostBed.terminal, moment: try moment())
}

func refund(_ attempt: String, of sale: String, _ minorUnits: Int64) throws -> RefundAuthorisation {
    RefundAuthorisation(
        attempt: try #require(AttemptID(attempt)), originalAttempt: try #require(AttemptID(sale)),
        amount: try money(minorUnits), terminal: HostBed.terminal, moment: try moment())
}

func reversal(_ attempt: String, _ minorUnits: Int64 = 123_45) throws -> ReversalRequest {
    ReversalRequest(attempt: try #require(AttemptID(attempt)), amount: try money(minorUnits), reason: .noAnswer)
}

func money(_ minorUnits: Int64) throws -> Amount {
    try #require(Amount(minorUnits: minorUnits, currency: .mxn))
}

private func moment() throws -> LocalDateTime {
    try #require(LocalDateTime(date: [0x26, 0x11, 0x30], time: [0x10, 0x20, 0x30]))
}
