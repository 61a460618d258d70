import ReaderWire
import Synchronization
public import Transport

/// A DSpread QPOS reader on a byte stream: it runs EMV itself. Derived from the vendor's public host code; no reader was
/// ever at hand.
public final class QPOSReader: KernelReader {
    public let model: String
    public let identity: QPOSIdentity
    public let capabilities: Set<ReaderCapability> = [
        .kernel, .apduChannel, .contact, .contactless, .magneticStripe, .securedReading, .display,
    ]
    let link: QPOSLink
    let gate = OperationGate()
    let phase = Mutex(Phase.idle)

    /// Where a payment stands between two calls.
    enum Phase: Sendable {
        case idle
        /// So many applications were told.
        case choosing(Int)
        /// The card in the slot waits for the issuer's answer.
        case online(CardReading)
        /// A stripe, or a card that was tapped: nothing waits.
        case cardHasGone(CardReading)
    }

    private init(model: String, identity: QPOSIdentity, link: QPOSLink) {
        self.model = model
        self.identity = identity
        self.link = link
    }

    /// Asks a device whether it is a QPOS reader, by commands that change nothing (10-00, 11-30). The transport stays open.
    /// - Returns: nil when nothing answers as such a reader within a second.
    /// - Throws: link errors only.
    public static func identify(
        over transport: any Transport, clock: any MonotonicClock, until deadline: Deadline
    ) async throws(ReaderError) -> QPOSIdentity? {
        try await identify(QPOSLink(transport: transport, clock: clock), until: deadline)
    }

    /// Takes over an open transport: resets the reader, so that nothing of an earlier session is left on it, and asks who
    /// it is. On failure the transport is closed.
    ///
    /// - Throws: `.silent` when nothing answers as a QPOS reader, and link errors.
    public static func open(
        _ transport: any Transport, model: String, clock: any MonotonicClock, until deadline: Deadline
    ) async throws(ReaderError) -> QPOSReader {
        let operation = "opening the reader"
        let link = QPOSLink(transport: transport, clock: clock)
        do throws(ReaderError) {
            if Task.isCancelled { throw ReaderError(.cancelled, during: operation) }
            try await link.drain(operation)
            try await link.reset(operation)
            guard let identity = try await identify(link, until: deadline) else {
                throw ReaderError(.silent, during: operation, detail: "no answer of a QPOS reader")
            }
            return QPOSReader(model: model, identity: identity, link: link)
        } catch {
            await Task { await transport.close() }.value
            throw error
        }
    }

    private static let identifyTimeout = Duration.seconds(1)

    private static func identify(_ link: QPOSLink, until deadline: Deadline) async throws(ReaderError) -> QPOSIdentity?
    {
        func data(_ command: QPOSCommand) async throws(ReaderError) -> [UInt8]? {
            do throws(ReaderError) {
                let limit = min(deadline, .after(identifyTimeout, on: link.clock))
                let ending = try await link.ask(
                    command, timeout: 5, operation: "asking who the reader is", until: limit)
                if case .done(let frame) = ending, frame.timeoutOrResult == 0 { return frame.data }
                return nil
            } catch {
                guard error.code == .silent || error.code == .protocolViolation || error.code == .linkFailed else {
                    throw error
                }
                return nil
            }
        }
        guard let id = try await data(.readerID) else { return nil }
        return QPOSIdentity(id: id, information: try await data(.readerInformation))
    }

    public func abandon() async {
        // In a task of its own: a cancelled payment must still be ended.
        await Task {
            try? await gate.run("abandoning a payment") { () throws(ReaderError) in
                phase.withLock { $0 = .idle }
                try await link.reset("abandoning a payment")
            }
        }.value
    }

    /// True at once: the reader does not tell whether a card is in its slot.
    public func waitForCardRemoval(until deadline: Deadline) async throws(ReaderError) -> Bool {
        try await gate.run("waiting for the card's removal") { () throws(ReaderError) in true }
    }

    public func observe(by observer: any OperationObserver) { gate.observe(by: observer) }

    public func close() async {
        guard gate.close() != .closed else { return }
        await Task {
            // The reader must not go on waiting for a card that nobody asked for.
            let wasUnderWay = phase.withLock { phase in
                defer { phase = .idle }
                switch phase {
                case .choosing, .online: return true
                case .idle, .cardHasGone: return false
                }
            }
            if wasUnderWay || link.hasOpenCommand {
                try? await link.send(QPOSFrame(.reset, timeout: 15), "closing the reader")
            }
            await link.stream.transport.close()
        }.value
    }
}
