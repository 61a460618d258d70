extension AsyncStream<Void> {
    /// One element after each of `events` that counts, and the end with theirs. Only the newest that was not taken is kept:
    /// whoever takes it looks again at everything anyway.
    public init<Event: Sendable>(
        after events: AsyncStream<Event>, counting counts: @escaping @Sendable (Event) -> Bool = { _ in true }
    ) {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let forwarding = Task {
            for await event in events where counts(event) { continuation.yield() }
            continuation.finish()
        }
        continuation.onTermination = { _ in forwarding.cancel() }
        self = stream
    }
}
