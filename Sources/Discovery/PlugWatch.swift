internal import Glibc
import Synchronization
internal import Transport

/// Watches what is plugged in, of one kind. Receiving is enabled first, then udev is scanned, and only then is anybody
/// served: no device falls into a gap. One plain thread owns everything of libudev.
final class PlugWatch<Device: Discoverable>: Sendable {
    private struct State {
        var present = PresentDevices<Device>()
        var subscribers: [UInt64: AsyncStream<PlugEvent<Device>>.Continuation] = [:]
        var lastSubscriber: UInt64 = 0
        var isClosing = false
        var hasEnded = false
        var closers: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())
    private let pipe: WakePipe

    /// Starts watching; returns when the first scan is done.
    static func start() async throws(DiscoveryError) -> PlugWatch {
        let monitor: PlugWatch
        do throws(TransportError) {
            monitor = PlugWatch(pipe: try WakePipe())
        } catch {
            throw .noResources("\(error)")
        }
        let outcome: Result<Void, DiscoveryError> = await withCheckedContinuation { continuation in
            do throws(TransportError) {
                try PlainThread.start(named: "udev") { monitor.run { continuation.resume(returning: $0) } }
            } catch {
                continuation.resume(returning: .failure(.noResources("\(error)")))
            }
        }
        try outcome.get()
        return monitor
    }

    /// What is plugged in now, without watching. Blocks for as long as sysfs takes (milliseconds).
    static func scan() throws(DiscoveryError) -> [Device] {
        let world = try UdevWorld<Device>(monitoring: false)
        return try world.scan().sorted { $0.syspath < $1.syspath }
    }

    private init(pipe: consuming WakePipe) {
        self.pipe = pipe
    }

    /// What is plugged in, as of the last event.
    func snapshot() -> [Device] {
        state.withLock { $0.present }.all
    }

    /// Arrivals and departures from now on, beginning with an arrival for each device that is present already, so that
    /// nothing falls between a snapshot and the stream. Ends at `close()`; ending the iteration unsubscribes.
    ///
    /// Buffer policy: the newest `buffer` events are kept. A consumer so slow that it may have lost some compares itself
    /// with `snapshot()`, which is always the truth.
    func events(buffer: Int) -> AsyncStream<PlugEvent<Device>> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: PlugEvent<Device>.self, bufferingPolicy: .bufferingNewest(buffer))
        let id = state.withLock { state -> UInt64? in
            guard !state.isClosing, !state.hasEnded else { return nil }
            state.lastSubscriber &+= 1
            state.subscribers[state.lastSubscriber] = continuation
            for device in state.present.all { continuation.yield(.arrived(device)) }
            return state.lastSubscriber
        }
        guard let id else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.subscribers.removeValue(forKey: id) }
        }
        return stream
    }

    /// Ends the thread and every stream, and frees libudev. May be called more than once.
    func close() async {
        await withCheckedContinuation { continuation in
            let hasEnded = state.withLock { state in
                state.isClosing = true
                if !state.hasEnded { state.closers.append(continuation) }
                return state.hasEnded
            }
            if hasEnded { continuation.resume() } else { pipe.wake() }
        }
    }

    private func run(_ started: (Result<Void, DiscoveryError>) -> Void) {
        do throws(DiscoveryError) {
            let world = try UdevWorld<Device>(monitoring: true)
            let present = try world.scan()
            state.withLock { _ = $0.present.replace(with: present) }
            started(.success(()))
            watch(world)
        } catch {
            started(.failure(error))
        }
        end()
    }

    private func watch(_ world: borrowing UdevWorld<Device>) {
        while !state.withLock({ $0.isClosing }) {
            guard pipe.wait(alongside: world.descriptor, atMost: nil) else { continue }
            errno = 0
            if let device = world.nextEvent() {
                publish(device)
            } else if errno == ENOBUFS, let present = try? world.scan() {
                // The kernel dropped events: read the whole truth again.
                publish { $0.replace(with: present) }
            }
        }
    }

    private func publish(_ device: borrowing UdevDevice) {
        guard let syspath = device.syspath else { return }
        if device.action == "remove" {
            publish { $0.remove(syspath) }
        } else if let read = Device(device) {
            publish { $0.put(read) }
        }
    }

    /// Applies a change and tells the subscribers, in one step, so that every stream has the same order.
    private func publish(_ change: (inout PresentDevices<Device>) -> [PlugEvent<Device>]) {
        state.withLock { state in
            for event in change(&state.present) {
                for subscriber in state.subscribers.values { subscriber.yield(event) }
            }
        }
    }

    private func end() {
        let (subscribers, closers) = state.withLock { state in
            state.hasEnded = true
            defer {
                state.subscribers = [:]
                state.closers = []
            }
            return (Array(state.subscribers.values), state.closers)
        }
        for subscriber in subscribers { subscriber.finish() }
        for closer in closers { closer.resume() }
    }
}
