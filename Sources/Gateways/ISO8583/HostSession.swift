import ISO8583
import NetworkTransport
import Synchronization
import Transport

/// One connection to the host, with the task that reads it and the one that keeps it alive.
final class HostSession: Sendable {
    let id: UInt64
    let connection: NetworkConnection
    private let tasks = Mutex<[Task<Void, Never>]>([])
    private let lastActivity: Mutex<MonotonicInstant>
    private let clock: any MonotonicClock

    init(_ id: UInt64, _ connection: NetworkConnection, clock: any MonotonicClock) {
        self.id = id
        self.connection = connection
        self.clock = clock
        lastActivity = Mutex(clock.now())
    }

    var isOver: Bool { connection.ending != nil }

    /// Reads until the connection ends. `take` gets each message; false means that it was none.
    func read(
        _ framing: MessageFraming, take: @escaping @Sendable ([UInt8]) -> Bool,
        ended: @escaping @Sendable (String) -> Void
    ) {
        add(
            Task {
                var reader = FrameReader(framing)
                var reason = "the connection was lost"
                reading: while true {
                    guard let bytes = try? await self.connection.receive(until: nil) else { break }
                    self.touch()
                    reader.append(bytes)
                    do throws(FrameReader.Fault) {
                        while let frame = try reader.next() {
                            guard take(frame.message) else {
                                reason = "the answer cannot be read"
                                break reading
                            }
                        }
                    } catch {
                        reason = "the answer cannot be read"
                        break
                    }
                }
                self.connection.requestClose()
                ended(reason)
            })
    }

    /// Runs `echo` whenever the line has been idle that long; false ends the connection.
    func keepAlive(every interval: Duration, echo: @escaping @Sendable () async -> Bool) {
        add(
            Task {
                while !self.isOver, !Task.isCancelled {
                    let due = self.lastActivity.withLock { $0 }.advanced(by: interval)
                    if self.clock.now() < due {
                        await self.clock.sleep(until: due)
                    } else if await !echo() {
                        self.connection.requestClose()
                        return
                    }
                }
            })
    }

    func touch() {
        lastActivity.withLock { $0 = clock.now() }
    }

    func close() async {
        let running = tasks.withLock { tasks in
            defer { tasks = [] }
            return tasks
        }
        for task in running { task.cancel() }
        await connection.close()
        for task in running { await task.value }
    }

    private func add(_ task: Task<Void, Never>) {
        tasks.withLock { $0.append(task) }
    }
}
