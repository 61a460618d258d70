import ReaderWire
import Synchronization
public import Transport

/// An ID TECH reader that speaks NEO2 ("ViVOtech2") and runs EMV itself.
///
/// It waits for one kind of card at a time: contactless and stripe together (02-40), or the contact slot (60-10). Where a
/// payment may use both, the two take turns, and a card in the slot waits for its turn. The cardholder's choice of an
/// application is not published for this protocol: the reader takes the first by priority.
public final class NEO2Reader: KernelReader {
    /// What the reader says of itself.
    public struct Identity: Sendable, Hashable {
        public let firmware: String
        /// Nil when the reader does not tell.
        public let serialNumber: String?
    }

    /// From which this model can read a card.
    public static let everyInterface = Set(CardInterface.allCases)

    public let model: String
    public let identity: Identity
    public let capabilities: Set<ReaderCapability>
    let interfaces: Set<CardInterface>
    let link: NEO2Link
    let gate = OperationGate()
    let payment = Mutex(Phase.idle)

    /// Where a payment stands between two calls.
    enum Phase: Sendable {
        case idle
        /// An ARQC, or a stripe, was handed out.
        case online(CardReading)
    }

    private init(model: String, identity: Identity, interfaces: Set<CardInterface>, link: NEO2Link) {
        self.model = model
        self.identity = identity
        self.interfaces = interfaces
        self.link = link
        capabilities = Self.capabilities(interfaces)
    }

    /// What a model with these interfaces can do.
    static func capabilities(_ interfaces: Set<CardInterface>) -> Set<ReaderCapability> {
        var capabilities: Set<ReaderCapability> = [.kernel, .securedReading]
        if interfaces.contains(.contact) { capabilities.insert(.contact) }
        if interfaces.contains(.contactless) { capabilities.insert(.contactless) }
        if interfaces.contains(.magneticStripe) { capabilities.insert(.magneticStripe) }
        return capabilities
    }

    /// Takes over an open transport: ends what an earlier session left behind, asks who is there, switches burst mode off
    /// and polling to "on demand". On failure the transport is closed.
    ///
    /// - Parameter interfaces: from which the model can read; never empty.
    /// - Throws: `.silent` when nothing answers a ping, `.unsupported` when the firmware does not answer as NEO2, and link
    ///   errors.
    public static func open(
        _ transport: any Transport, form: NEO2LinkForm, model: String,
        interfaces: Set<CardInterface> = NEO2Reader.everyInterface, clock: any MonotonicClock, until deadline: Deadline
    ) async throws(ReaderError) -> NEO2Reader {
        let link = NEO2Link(transport: transport, form: form, clock: clock)
        do throws(ReaderError) {
            let identity = try await greet(link, until: deadline)
            return NEO2Reader(model: model, identity: identity, interfaces: interfaces, link: link)
        } catch {
            await Task { await transport.close() }.value
            throw error
        }
    }

    /// Asks a device on a byte stream whether it is a NEO2 reader, by a ping (18-01), which changes nothing. The transport
    /// stays open.
    /// - Returns: false when nothing answers as such a reader within a second.
    /// - Throws: link errors only.
    public static func identify(
        over transport: any Transport, clock: any MonotonicClock, until deadline: Deadline
    ) async throws(ReaderError) -> Bool {
        let operation = "asking who the reader is"
        let link = NEO2Link(transport: transport, form: .stream, clock: clock)
        do throws(ReaderError) {
            try await link.drain(operation: operation)
            return try await link.ask(.ping, operation: operation, tries: 1, until: deadline).status == .ok
        } catch {
            guard [.silent, .protocolViolation, .linkFailed].contains(error.code) else { throw error }
            return false
        }
    }

    private static func greet(_ link: NEO2Link, until deadline: Deadline) async throws(ReaderError) -> Identity {
        let operation = "opening the reader"
        try await link.drain(operation: operation)
        func ask(_ command: NEO2Command, _ data: [UInt8] = []) async throws(ReaderError) -> NEO2Frame {
            try await link.ask(command, data: data, operation: operation, until: deadline)
        }
        for command in [NEO2Command.ping, .cancelTransaction] {
            let answer = try await ask(command)
            // A reader may refuse to cancel nothing.
            guard answer.status == .ok || command == .cancelTransaction else {
                throw NEO2Failure(status: answer.status, operation: operation).readerError
            }
        }
        let firmware = try await ask(.firmwareVersion)
        guard firmware.status == .ok else {
            throw NEO2Failure(status: firmware.status, operation: operation).readerError
        }
        // What follows not every model knows: a refusal is no fault.
        let serial = try await ask(.serialNumber)
        _ = try await ask(.setConfiguration, [0xDF, 0xEE, 0x7E, 0x01, 0x00])
        _ = try await ask(.pollMode, [0x01])
        let serialNumber = serial.status == .ok ? text(serial.data) : ""
        return Identity(firmware: text(firmware.data), serialNumber: serialNumber.isEmpty ? nil : serialNumber)
    }

    /// Printable ASCII, at most 64 characters.
    private static func text(_ bytes: [UInt8]) -> String {
        String(decoding: bytes.filter { (0x20...0x7E).contains($0) }.prefix(64), as: UTF8.self)
    }

    public func choose(_ index: Int, until deadline: Deadline) async throws(ReaderError) -> ReaderStop {
        throw ReaderError(
            .unsupported, during: "choosing an application", detail: "a NEO2 reader never asks for it")
    }

    /// True at once: the reader does not tell whether a card is in its slot.
    public func waitForCardRemoval(until deadline: Deadline) async throws(ReaderError) -> Bool {
        try await gate.run("waiting for the card's removal") { () throws(ReaderError) in true }
    }

    public func abandon() async {
        // In a task of its own: a cancelled payment must still be ended.
        await Task {
            try? await gate.run("abandoning a payment") { () throws(ReaderError) in
                payment.withLock { $0 = .idle }
                _ = try await link.stop(nil, .cancelled, "abandoning a payment")
            }
        }.value
    }

    public func observe(by observer: any OperationObserver) { gate.observe(by: observer) }

    public func close() async {
        guard gate.close() != .closed else { return }
        await Task {
            // The reader must not go on waiting for a card that nobody asked for.
            let wasOnline = payment.withLock { phase in
                defer { phase = .idle }
                if case .online = phase { return true } else { return false }
            }
            await link.sendLastCancel(always: wasOnline)
            await link.transport.close()
        }.value
    }
}
