import Serial
import Testing
import Transport

/// A pseudo terminal and a port opened on its node: a serial cable in one process.
struct Bed {
    let context: SerialContext
    let far: PseudoTerminal
    let port: SerialPort

    static func with(
        _ settings: SerialSettings = SerialSettings(baud: .b115200), _ body: (Bed) async throws -> Void
    ) async throws {
        let context = SerialContext()
        let far = try context.makeTerminal()
        let port = try await context.open(far.node, settings, until: soon)
        do {
            try await body(Bed(context: context, far: far, port: port))
        } catch {
            await context.shutdown()
            throw error
        }
        await context.shutdown()
    }
}

/// A limit for what should be done at once: generous, since it only matters when something hangs.
var soon: Deadline { .after(.seconds(30), on: SystemMonotonicClock.shared) }

func after(_ milliseconds: Int) -> Deadline {
    .after(.milliseconds(milliseconds), on: SystemMonotonicClock.shared)
}

/// The error that a call ends with, nil for none.
func failure<Value>(_ call: () async throws -> Value) async -> TransportError? {
    do {
        _ = try await call()
    } catch let error as TransportError {
        return error
    } catch {
        Issue.record(error)
    }
    return nil
}
