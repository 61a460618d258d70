import Bridge
import Glibc
import NetworkTransport
import Serial
import Synchronization
import Testing
import Transport

var soon: Deadline { .after(.seconds(30), on: SystemMonotonicClock.shared) }

func after(_ milliseconds: Int) -> Deadline {
    .after(.milliseconds(milliseconds), on: SystemMonotonicClock.shared)
}

/// Bytes in which every value occurs, 255 among them.
func pattern(_ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
}

/// What a bridge has told, to be waited for.
final class Told: Sendable {
    private let state = Mutex<[BridgeEvent]>([])

    func tell(_ event: BridgeEvent) { state.withLock { $0.append(event) } }

    var all: [BridgeEvent] { state.withLock { $0 } }

    /// Waits for the event that `match` answers something for, the `number`th such.
    func event<Value>(_ number: Int = 1, _ match: (BridgeEvent) -> Value?) async throws -> Value {
        let deadline = soon
        while true {
            let found = all.compactMap(match)
            if found.count >= number { return found[number - 1] }
            try #require(!deadline.hasPassed(on: SystemMonotonicClock.shared), "not told: \(all)")
            await SystemMonotonicClock.shared.sleep(until: after(2).instant)
        }
    }

    func event(_ event: BridgeEvent, _ number: Int = 1) async throws {
        _ = try await self.event(number) { $0 == event ? true : nil }
    }
}

/// A reader that can be pulled out and put back: a pseudo terminal under a name that stays.
final class Plug: Sendable {
    let context = SerialContext()
    let path: String
    private let directory: String
    private let link = Mutex<TerminalLink?>(nil)

    init() throws {
        var template = Array("/tmp/readerkit-bridge.XXXXXX".utf8CString)
        directory = String(cString: try #require(mkdtemp(&template)))
        path = directory + "/reader"
    }

    var linkPath: String { directory + "/link" }

    func putIn() throws -> PseudoTerminal {
        let terminal = try context.makeTerminal()
        let made = try TerminalLink(at: path, to: terminal.node)
        link.withLock { $0 = made }
        return terminal
    }

    func pullOut(_ terminal: PseudoTerminal) async {
        link.withLock { $0 }?.remove()
        await terminal.close()
    }

    func end() async {
        await context.shutdown()
        unlink(path)
        unlink(linkPath)
        rmdir(directory)
    }
}

/// Runs a bridge around `body`.
func withBridge(
    _ options: BridgeOptions, _ source: any LineSource, _ body: (Told) async throws -> Void
) async throws {
    let told = Told()
    let bridge = SerialBridge(options, source: source, clock: SystemMonotonicClock.shared) { told.tell($0) }
    let running = Task { () -> BridgeError? in
        do throws(BridgeError) { try await bridge.run() } catch { return error }
        return nil
    }
    do {
        _ = try await told.event { if case .ready = $0 { true } else { nil } }
        try await body(told)
    } catch {
        running.cancel()
        _ = await running.value
        throw error
    }
    running.cancel()
    #expect(await running.value == nil)
}

extension Told {
    var node: String {
        get async throws { try await event { if case .ready(let node, _) = $0 { node } else { nil } } }
    }
    var endpoint: Endpoint {
        get async throws { try await event { if case .ready(_, let endpoint) = $0 { endpoint } else { nil } } }
    }
}

extension NetworkConnection {
    func receive(exactly count: Int) async throws(NetworkError) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count { bytes += try await receive(until: soon) }
        return bytes
    }
}
