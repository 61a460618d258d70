public import Gateways
public import Money
public import NetworkTransport
import Synchronization
public import Transport

/// An acquirer's host as a server: the issuer simulator behind a port. Any number of clients up to a limit, each with
/// several requests at a time. Clients that dawdle within a message, send too much, or send what is no message, are let go.
public final class AcquirerHost: Sendable {
    private let options: AcquirerHostOptions
    private let simulator: IssuerSimulator
    private let desk: HostDesk
    private let clock: any MonotonicClock
    private let loop: NetworkLoop
    private let told: @Sendable (HostEvent) -> Void
    private let state = Mutex(State())

    private struct State {
        var listener: NetworkListener?
        var clients: [UInt64: Task<Void, Never>] = [:]
        var lastID: UInt64 = 0
        var isStopping = false
    }

    /// - Parameters:
    ///   - simulator: its book and its issuers.
    ///   - told: of each message that was answered; must return soon.
    /// - Throws: `NetworkError.failed` when a thread cannot be started.
    public init(
        _ options: AcquirerHostOptions, simulator: IssuerSimulator, script: HostScript, clock: any MonotonicClock,
        told: @escaping @Sendable (HostEvent) -> Void = { _ in }
    ) throws(NetworkError) {
        self.options = options
        self.simulator = simulator
        self.clock = clock
        self.told = told
        desk = HostDesk(simulator: simulator, script: script, clock: clock, patience: options.patience)
        loop = try NetworkLoop(named: "acquirer", clock: clock)
    }

    /// Begins to listen; answers where. The port is the real one.
    public func start() throws(NetworkError) -> Endpoint {
        let listener = try loop.listen(
            on: options.endpoint, limit: options.connectionLimit, tls: options.tls,
            accepted: { [weak self] connection in self?.serve(connection) })
        state.withLock { $0.listener = listener }
        return listener.endpoint
    }

    /// Its books as they stand.
    public func totals(in currency: Currency) -> HostTotals {
        HostTotals(simulator.entries, in: currency)
    }

    /// Closes the port and every connection, and returns when nobody is served any more.
    public func stop() async {
        let (listener, clients) = state.withLock { state in
            state.isStopping = true
            return (state.listener, Array(state.clients.values))
        }
        listener?.stop()
        for client in clients { client.cancel() }
        for client in clients { await client.value }
        loop.stop()
    }

    private func serve(_ connection: NetworkConnection) {
        state.withLock { state in
            guard !state.isStopping else { return connection.requestClose() }
            state.lastID += 1
            let id = state.lastID
            state.clients[id] = Task {
                await self.converse(connection)
                await connection.close()
                self.state.withLock { _ = $0.clients.removeValue(forKey: id) }
            }
        }
    }

    private func converse(_ connection: NetworkConnection) async {
        if desk.script.rule(.connection, amount: nil, attempt: nil) != nil { return }
        switch options.wireProtocol {
        case .iso8583(let profile, let framing):
            let line = ISO8583Line(
                connection: connection, desk: desk, options: options, profile: profile, framing: framing, clock: clock,
                told: told)
            await line.run()
        case .json:
            await JSONLine(connection: connection, desk: desk, options: options, clock: clock, told: told).run()
        }
    }
}
