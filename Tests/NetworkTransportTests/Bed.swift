import Foundation
import NetworkTransport
import Synchronization
import Testing
import Transport

/// A loop with a port on this machine, and the connections that were made to it.
final class Bed: Sendable {
    let clock = SystemMonotonicClock.shared
    let loop: NetworkLoop
    private let accepted = Rendezvous<NetworkConnection>()

    init() throws {
        loop = try NetworkLoop(named: "test", clock: SystemMonotonicClock.shared)
    }

    deinit {
        loop.stop()
    }

    func soon(_ seconds: Int = 20) -> Deadline { .after(.seconds(seconds), on: clock) }

    /// Listens; the first connection is `server()`.
    func listen(tls: TLSServerSettings? = nil, limit: Int = 16) throws -> Endpoint {
        let endpoint = try #require(Endpoint("127.0.0.1:0"))
        return try loop.listen(on: endpoint, limit: limit, tls: tls) { self.accepted.settle($0) }.endpoint
    }

    func server() async throws -> NetworkConnection {
        guard case .value(let connection) = await accepted.wait(until: soon(), on: clock) else { throw NoConnection() }
        return connection
    }

    /// Two ends of a connection.
    func pair() async throws -> (client: NetworkConnection, server: NetworkConnection) {
        let client = try await loop.connect(to: listen(), until: soon())
        return (client, try await server())
    }

    struct NoConnection: Error {}
}

extension NetworkConnection {
    /// Exactly this many bytes.
    func receive(_ count: Int, until deadline: Deadline) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count { bytes += try await receive(until: deadline) }
        #expect(bytes.count == count)
        return bytes
    }
}
