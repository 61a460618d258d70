/// Watches which serial ports there are. None falls into a gap between the scan and the events.
public final class TTYMonitor: Sendable {
    /// Events that a subscriber may leave unread. Older ones are then dropped.
    public static let eventBuffer = 1024

    private let watch: PlugWatch<DiscoveredTTY>

    private init(_ watch: PlugWatch<DiscoveredTTY>) {
        self.watch = watch
    }

    /// Starts watching; returns when the first scan is done.
    public static func start() async throws(DiscoveryError) -> TTYMonitor {
        TTYMonitor(try await PlugWatch.start())
    }

    /// What is plugged in now, without watching, in the order of the sysfs paths. Blocks for as long as sysfs takes
    /// (milliseconds).
    public static func scan() throws(DiscoveryError) -> [DiscoveredTTY] {
        try PlugWatch.scan()
    }

    /// What is plugged in, as of the last event.
    public func snapshot() -> [DiscoveredTTY] {
        watch.snapshot()
    }

    /// Arrivals and departures from now on, beginning with an arrival for each device that is present already, so that
    /// nothing falls between a snapshot and the stream. Ends at `close()`; ending the iteration unsubscribes.
    ///
    /// Buffer policy: the newest `eventBuffer` events are kept. A consumer so slow that it may have lost some compares
    /// itself with `snapshot()`, which is always the truth.
    public func events() -> AsyncStream<TTYEvent> {
        watch.events(buffer: Self.eventBuffer)
    }

    /// Ends the thread and every stream, and frees libudev. May be called more than once.
    public func close() async {
        await watch.close()
    }
}
