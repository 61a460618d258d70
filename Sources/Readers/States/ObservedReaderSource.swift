public import Transport

/// A source whose readers tell `ReaderStates` what is done with them: how each was opened, what it does, what went wrong,
/// and that it was closed.
public final class ObservedReaderSource: ReaderSource {
    private let source: any ReaderSource
    private let states: ReaderStates

    public init(_ source: any ReaderSource, states: ReaderStates) {
        self.source = source
        self.states = states
    }

    public func scan() async throws(ReaderError) -> [FoundReader] { try await source.scan() }

    public func open(_ reader: FoundReader, until deadline: Deadline) async throws(ReaderError) -> OpenedReader {
        let operation = "opening the reader"
        let stay = states.opening(reader, operation)
        do throws(ReaderError) {
            let opened = try await source.open(reader, until: deadline)
            if let stay = states.opened(reader, stay, operation) {
                opened.reader.observe(by: ReaderSession(states, stay))
            }
            return opened
        } catch {
            if let stay {
                let holder = error.code == .busy ? await source.holder(of: reader) : nil
                states.notOpened(stay, error, heldBy: holder)
            }
            throw error
        }
    }

    public func inspect(_ reader: FoundReader) async -> ReaderInspection { await source.inspect(reader) }

    public func holder(of reader: FoundReader) async -> String? { await source.holder(of: reader) }

    public func explainSilence(of reader: FoundReader) async -> ReaderProblem? {
        await source.explainSilence(of: reader)
    }

    public func changes() async throws(ReaderError) -> AsyncStream<Void> { try await source.changes() }

    public func close() async { await source.close() }
}
