import Transport

/// Finds out by pings, which change nothing, who is behind a serial line, and at which speed.
struct TTYSpeedSearch {
    struct Finding: Sendable, Hashable {
        var family: ReaderFamily
        var speed: BaudRate
    }

    /// In this order: a reader that looks for the start of a frame passes over what was meant for those before it; MPI has
    /// no such start, so it comes first.
    static let families: [ReaderFamily] = [.mpi, .qpos, .neo2]
    static let speeds: [BaudRate] = [.b115200, .b19200, .b9600, .b57600, .b38400]
    /// For one answer.
    static let patience = Duration.seconds(1)

    let line: any SerialLine
    let clock: any MonotonicClock

    /// Asks at each speed for each family. A speed that the line refuses is passed over.
    /// - Throws: link errors.
    func find(
        _ families: [ReaderFamily] = Self.families, at speeds: [BaudRate] = Self.speeds
    ) async throws(ReaderError) -> Finding? {
        for speed in speeds {
            guard try await set(speed) else { continue }
            for family in families where try await answers(as: family) {
                return Finding(family: family, speed: speed)
            }
        }
        return nil
    }

    private func set(_ speed: BaudRate) async throws(ReaderError) -> Bool {
        do throws(TransportError) {
            try await line.configure(SerialSettings(baud: speed), until: .after(Self.patience, on: clock))
            try await line.purge([.input, .output], until: .after(Self.patience, on: clock))
            return true
        } catch {
            guard error.code == .unsupported else { throw ReaderError(error, during: "setting the line's speed") }
            return false
        }
    }

    private func answers(as family: ReaderFamily) async throws(ReaderError) -> Bool {
        let deadline = Deadline.after(Self.patience, on: clock)
        switch family {
        case .ccid: return false
        case .neo2: return try await NEO2Reader.identify(over: line, clock: clock, until: deadline)
        case .qpos: return try await QPOSReader.identify(over: line, clock: clock, until: deadline) != nil
        case .mpi: return try await MPIReader.identify(over: line, clock: clock, until: deadline) != nil
        }
    }
}
