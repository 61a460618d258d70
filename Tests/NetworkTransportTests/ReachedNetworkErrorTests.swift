import Foundation
import Glibc
import NetworkTransport
import Testing
import Transport

/// Every code of a network connection, by what brings it about. A new code needs a scenario here.
@Suite struct ReachedNetworkErrorTests {
    @Test("every code is reached", arguments: NetworkError.Code.allCases)
    func reached(code: NetworkError.Code) async throws {
        #expect(try await error(code)?.code == code)
    }

    private func error(_ code: NetworkError.Code) async throws -> NetworkError? {
        let bed = try Bed()
        switch code {
        case .unresolved: return try await connecting(bed, to: "name.invalid:1")
        case .unreachable: return try await connecting(bed, to: "127.0.0.1:1")
        case .untrusted:
            let files = try await Certificates()
            let settings = TLSClientSettings(authorityFile: files.authority, serverName: "other.example")
            return try await connecting(bed, to: "\(bed.listen(tls: files.server))", tls: settings)
        case .setting:
            let settings = TLSClientSettings(authorityFile: "/nonexistent")
            return try await connecting(bed, to: "\(bed.listen())", tls: settings)
        case .timedOut:
            let (client, _) = try await bed.pair()
            let passed = Deadline(bed.clock.now())
            return await failure { try await client.receive(until: passed) }
        case .cancelled:
            let (client, _) = try await bed.pair()
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return await failure { try await client.receive(until: nil) }
            }
            return await task.value
        case .closed:
            let (client, server) = try await bed.pair()
            await server.close()
            return await failure { try await client.receive(until: bed.soon()) }
        case .unavailable:
            let taken = try bed.listen()
            return await failure { _ = try bed.loop.listen(on: taken) { _ in } }
        case .failed:
            let clock = bed.clock
            return await withoutDescriptors { () throws(NetworkError) in
                try NetworkLoop(named: "test", clock: clock).stop()
            }
        }
    }

    private func connecting(
        _ bed: Bed, to endpoint: String, tls: TLSClientSettings? = nil
    ) async throws -> NetworkError? {
        let endpoint = try #require(Endpoint(endpoint))
        return await failure { try await bed.loop.connect(to: endpoint, tls: tls, until: bed.soon()) }
    }

    /// On a thread that has a table of descriptors of its own, and no room in it.
    private func withoutDescriptors(
        _ body: @escaping @Sendable () throws(NetworkError) -> Void
    ) async -> NetworkError? {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                var error: NetworkError?
                // CLOSE_RANGE_UNSHARE: the descriptors of other threads stay as they are.
                if Self.closeRange?(3, .max, 2) == 0 {
                    while dup(0) >= 0 {}
                    do throws(NetworkError) {
                        try body()
                    } catch let failure {
                        error = failure
                    }
                }
                // The table goes with the thread.
                continuation.resume(returning: error)
            }
        }
    }

    /// close_range(2), which the toolchain's module leaves out.
    private static let closeRange: (@convention(c) (UInt32, UInt32, Int32) -> Int32)? =
        dlsym(nil, "close_range").map { unsafeBitCast($0, to: (@convention(c) (UInt32, UInt32, Int32) -> Int32).self) }

    private func failure(_ body: () async throws -> some Any) async -> NetworkError? {
        do {
            _ = try await body()
            return nil
        } catch {
            return error as? NetworkError
        }
    }
}
