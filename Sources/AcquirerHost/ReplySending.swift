import NetworkTransport
import Transport

/// Brings an answer to the client, with whatever the script does to it on the way.
struct ReplySending: Sendable {
    let connection: NetworkConnection
    let clock: any MonotonicClock

    /// - Parameters:
    ///   - frame: the answer as it is sent; nil when nothing is said.
    ///   - garbage: what is sent instead when nobody shall be able to read it.
    /// - Returns: whether the conversation goes on.
    func send(_ frame: [UInt8]?, _ rule: HostFaultRule?, garbage: [UInt8]) async -> Bool {
        guard let frame else { return true }
        switch rule?.fault {
        case .noAnswer: return true
        case .closeAfterBooking, .closeBeforeRead: return false
        case .answerThenClose:
            _ = await write(frame)
            return false
        case .halfFrame:
            _ = await write(Array(frame.prefix(max(1, frame.count / 2))))
            return false
        case .garbage: return await write(garbage)
        case .duplicateAnswer:
            guard await write(frame) else { return false }
            return await write(frame)
        case .lateAnswer:
            let due = clock.now().advanced(by: rule?.delay ?? .zero)
            while clock.now() < due {
                if Task.isCancelled || connection.ending != nil { return false }
                // In steps, so that a client that has gone does not keep its place.
                await clock.sleep(until: min(due, clock.now().advanced(by: .seconds(1))))
            }
            return await write(frame)
        case .wrongMAC, .wrongSTAN, .partialApproval, .referral, .wrongPIN, .script71, .script72, nil:
            return await write(frame)
        }
    }

    private func write(_ bytes: [UInt8]) async -> Bool {
        do throws(NetworkError) {
            try await connection.send(bytes, until: .after(.seconds(10), on: clock))
            return true
        } catch {
            return false
        }
    }
}
