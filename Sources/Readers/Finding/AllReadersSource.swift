public import Transport

/// Readers on the USB bus, at USB-serial chips and on serial ports. A device is there once: over USB where the reader itself
/// can be driven so, else at its serial line.
public final class AllReadersSource: ReaderSource {
    private let usb: any ReaderSource
    private let chips: (any ReaderSource)?
    private let ttys: any ReaderSource

    /// - Parameter chips: tells of no line that `ttys` tells of.
    public init(usb: any ReaderSource, chips: (any ReaderSource)? = nil, ttys: any ReaderSource) {
        self.usb = usb
        self.chips = chips
        self.ttys = ttys
    }

    public func scan() async throws(ReaderError) -> [FoundReader] {
        let onUSB = try await usb.scan()
        let onLines = try await ttys.scan() + (chips?.scan() ?? [])
        let withPort = Set(onLines.filter { $0.family != nil }.compactMap(\.port))
        var kept: [FoundReader] = []
        for reader in onUSB {
            if let port = reader.port, withPort.contains(port),
                await usb.inspect(reader).problems.contains(where: { $0.code == .unsupported })
            {
                continue
            }
            kept.append(reader)
        }
        let taken = Set(kept.compactMap(\.port))
        return kept + onLines.filter { reader in reader.port.map { !taken.contains($0) } ?? true }
    }

    public func open(_ reader: FoundReader, until deadline: Deadline) async throws(ReaderError) -> OpenedReader {
        try await source(of: reader).open(reader, until: deadline)
    }

    public func inspect(_ reader: FoundReader) async -> ReaderInspection { await source(of: reader).inspect(reader) }

    public func holder(of reader: FoundReader) async -> String? { await source(of: reader).holder(of: reader) }

    public func explainSilence(of reader: FoundReader) async -> ReaderProblem? {
        await source(of: reader).explainSilence(of: reader)
    }

    public func changes() async throws(ReaderError) -> AsyncStream<Void> {
        // The USB bus tells of chips, too.
        let sources = [try await usb.changes(), try await ttys.changes()]
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let forwarding = Task {
            await withTaskGroup(of: Void.self) { group in
                for changes in sources {
                    group.addTask { for await _ in changes { continuation.yield() } }
                }
            }
            continuation.finish()
        }
        continuation.onTermination = { _ in forwarding.cancel() }
        return stream
    }

    public func close() async {
        await usb.close()
        await chips?.close()
        await ttys.close()
    }

    private func source(of reader: FoundReader) -> any ReaderSource {
        if reader.link == .tty { return ttys }
        return reader.line == nil ? usb : chips ?? usb
    }
}
