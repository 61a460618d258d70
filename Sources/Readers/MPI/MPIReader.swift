import BERTLV
import ReaderWire
import Synchronization
public import Transport

/// A Miura reader that speaks MPI, or a Verifone terminal that speaks VIPA, on a byte stream: it runs EMV itself. Framing
/// by the vendor's own tests, the rest derived from public host code; no reader was ever at hand.
public final class MPIReader: KernelReader {
    /// What carries the byte stream.
    public enum LinkForm: String, Sendable, Hashable, CaseIterable {
        /// CDC-ACM: the reader is told before the link is closed (D0 C0).
        case usb
        case serial
        /// A terminal that listens; its first message may be one that nobody asked for.
        case network
    }

    static let closingTimeout = Duration.seconds(2)
    /// DFAE02 and DFAE03 are the encrypted track and its key serial number, DFAE22 and DFAE57 masked tracks, DFAE5A a masked
    /// number (the vendor's public SDK).
    static let vendorTags = ToldCard.VendorTags(
        keySerialNumber: 0xDFAE03, maskedNumber: 0xDFAE5A, encryptedTrack: 0xDFAE02,
        maskedTracks: [0xDFAE22, 0xDFAE57])

    public let model: String
    public let identity: MPIIdentity
    public let capabilities: Set<ReaderCapability> = [
        .kernel, .contact, .contactless, .magneticStripe, .securedReading, .display, .pinPad,
    ]
    let link: MPILink
    let gate = OperationGate()
    let phase = Mutex(Phase.idle)
    private let form: LinkForm

    /// Where a payment stands between two calls.
    enum Phase: Sendable {
        case idle
        /// So many applications were told.
        case choosing(Int)
        /// A chip, in the slot or tapped, waits for the issuer's answer.
        case online(CardReading)
        /// A stripe: nothing waits.
        case stripe(CardReading)
    }

    private init(model: String, form: LinkForm, identity: MPIIdentity, link: MPILink) {
        self.model = model
        self.form = form
        self.identity = identity
        self.link = link
    }

    /// Asks a device whether it is an MPI or VIPA reader, by a command that changes nothing (D0 02). The transport stays
    /// open.
    /// - Returns: nil when nothing answers as such a reader within a second.
    /// - Throws: link errors only.
    public static func identify(
        over transport: any Transport, clock: any MonotonicClock, until deadline: Deadline
    ) async throws(ReaderError) -> MPIIdentity? {
        do throws(ReaderError) {
            return try await identify(
                MPILink(transport: transport, clock: clock), "asking who the reader is",
                until: min(deadline, .after(.seconds(1), on: clock)))
        } catch {
            guard [.silent, .protocolViolation, .linkFailed].contains(error.code) else { throw error }
            return nil
        }
    }

    /// Takes over an open transport: drops what is stale, resets the reader (D0 00), and asks who it is. On failure the
    /// transport is closed.
    ///
    /// - Throws: `.silent` when nothing answers, `.unsupported` when what answers is no such reader, and link errors.
    public static func open(
        _ transport: any Transport, form: LinkForm = .usb, model: String, clock: any MonotonicClock,
        until deadline: Deadline
    ) async throws(ReaderError) -> MPIReader {
        let operation = "opening the reader"
        let link = MPILink(transport: transport, clock: clock)
        do throws(ReaderError) {
            if Task.isCancelled { throw ReaderError(.cancelled, during: operation) }
            try await link.clear(operation, quiet: MPILink.openingTime)
            let reset = try await link.ask(.reset, operation: operation, until: deadline)
            guard reset.isSuccess else {
                throw MPIFailure(statusWord: reset.statusWord, operation: operation).readerError
            }
            guard let identity = try await identify(link, operation, until: deadline) else {
                throw ReaderError(.unsupported, during: operation, detail: "it does not answer as an MPI reader")
            }
            link.forgetEvents()
            return MPIReader(model: model, form: form, identity: identity, link: link)
        } catch {
            await Task { await transport.close() }.value
            throw error
        }
    }

    private static func identify(
        _ link: MPILink, _ operation: String, until deadline: Deadline
    ) async throws(ReaderError) -> MPIIdentity? {
        let answer = try await link.ask(.deviceInformation, operation: operation, until: deadline)
        return answer.isSuccess ? MPIIdentity(answer.data) : nil
    }

    /// D0 01: names and versions of the files in the reader.
    /// - Throws: a status word that is no success, and what the link throws.
    public func configuration(until deadline: Deadline) async throws(ReaderError) -> [String: String] {
        let operation = "asking for the configuration"
        return try await gate.run(operation) { () throws(ReaderError) in
            let answer = try await success(.getConfiguration, operation, until: deadline)
            return MPIConfiguration.files(answer.data)
        }
    }

    /// D2 01: a text on the reader's display, printable ASCII and line feeds, at most 255 characters.
    public func display(_ text: String, until deadline: Deadline) async throws(ReaderError) {
        try await display(MPIRequests.displayText(text), until: deadline)
    }

    /// D2 01: a text of the reader's own, by its number (VIPA: 0D asks for a card).
    public func displayScreen(_ number: UInt8, until deadline: Deadline) async throws(ReaderError) {
        try await display(MPIRequests.displayScreen(number), until: deadline)
    }

    private func display(_ command: MPICommand, until deadline: Deadline) async throws(ReaderError) {
        let operation = "showing a text"
        try await gate.run(operation) { () throws(ReaderError) in
            _ = try await success(command, operation, until: deadline)
        }
    }

    private func success(
        _ command: MPICommand, _ operation: String, until deadline: Deadline
    ) async throws(ReaderError) -> MPIResponse {
        let answer = try await link.ask(command, operation: operation, until: deadline)
        guard answer.isSuccess else {
            throw MPIFailure(statusWord: answer.statusWord, operation: operation).readerError
        }
        return answer
    }

    public func abandon() async {
        // In a task of its own: a cancelled payment must still be ended.
        await Task {
            try? await gate.run("abandoning a payment") { () throws(ReaderError) in
                phase.withLock { $0 = .idle }
                _ = try await link.stop(.change, "abandoning a payment")
            }
        }.value
    }

    public func observe(by observer: any OperationObserver) { gate.observe(by: observer) }

    public func close() async {
        let before = gate.close()
        guard before != .closed else { return }
        await Task {
            let wasUnderWay = phase.withLock { phase in
                defer { phase = .idle }
                switch phase {
                case .choosing, .online: return true
                case .idle, .stripe: return false
                }
            }
            let operation = "closing the reader"
            if wasUnderWay || link.isOutOfStep || before == .taken { try? await link.send(.abort, operation) }
            // A call that is under way has the wire: its reader is told nothing more.
            if form == .usb, before == .free {
                _ = try? await link.ask(
                    .usbDisconnect, operation: operation, timeout: Self.closingTimeout,
                    until: .after(Self.closingTimeout, on: link.clock))
            }
            await link.stream.transport.close()
        }.value
    }
}
