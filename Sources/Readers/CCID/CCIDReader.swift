public import EMV
public import ReaderWire
import Synchronization
public import Transport

/// A CCID reader with one slot in use (CCID 1.1), at short-APDU, extended-APDU or TPDU level.
public final class CCIDReader: ChipReader {
    /// How often a reader without an interrupt pipe is asked for its slot status.
    static let pollInterval = Duration.milliseconds(250)
    /// How often one with an interrupt pipe is asked anyway, in case a notification was lost.
    static let confirmInterval = Duration.seconds(1)
    static let defaultResponseTimeout = Duration.seconds(5)
    static let powerOffTimeout = Duration.seconds(2)

    public let model: String
    private let link: CCIDLink
    private let descriptor: CCIDClassDescriptor
    private let presencePoll: Duration?
    private let gate = OperationGate()
    private let card = Mutex<PoweredCard?>(nil)

    /// A card that has, or may have, power.
    private struct PoweredCard {
        /// Nil until it is ready for commands.
        var channel: CCIDCardChannel?
    }

    private init(model: String, link: CCIDLink, descriptor: CCIDClassDescriptor, presencePoll: Duration?) {
        self.model = model
        self.link = link
        self.descriptor = descriptor
        self.presencePoll = presencePoll
    }

    /// Takes over an open transport and asks the reader for its slot status, which also clears what an earlier session
    /// left behind. On failure the transport is closed.
    ///
    /// - Parameters:
    ///   - interfaceNumber: bInterfaceNumber, for class requests.
    ///   - catalogueModel: the model's quirks, if it is known.
    /// - Throws: `.unsupported` for a character-level reader, and link errors.
    public static func open(
        _ transport: any Transport, descriptor: CCIDClassDescriptor, interfaceNumber: UInt8, model: String,
        catalogueModel: ReaderModel? = nil, clock: any MonotonicClock, until deadline: Deadline
    ) async throws(ReaderError) -> CCIDReader {
        guard descriptor.exchangeLevel != .character else {
            await transport.close()
            throw ReaderError(
                .unsupported, during: "opening the reader", detail: "it works at character level only")
        }
        let usual = Int(defaultResponseTimeout.components.seconds) * 1000
        let timeout = catalogueModel?.responseTimeoutMilliseconds(default: usual) ?? usual
        let link = CCIDLink(
            transport: transport, clock: clock, interfaceNumber: UInt16(interfaceNumber),
            maximumMessageLength: descriptor.maximumMessageLength, responseTimeout: .milliseconds(timeout))
        let reader = CCIDReader(
            model: model, link: link, descriptor: descriptor,
            presencePoll: catalogueModel?.presencePollMilliseconds.map { .milliseconds($0) })
        do throws(ReaderError) {
            _ = try await reader.cardPresence(until: deadline)
        } catch {
            await reader.close()
            throw error
        }
        return reader
    }

    public func cardPresence(until deadline: Deadline) async throws(ReaderError) -> CardPresence {
        try await gate.run("asking for the slot status") { () throws(ReaderError) in
            try await presence(until: deadline)
        }
    }

    public func waitForCard(until deadline: Deadline) async throws(ReaderError) {
        try await gate.run("waiting for a card") { () throws(ReaderError) in
            guard try await wait(for: .present, until: deadline) else {
                throw ReaderError(.cardNotInserted, during: "waiting for a card")
            }
        }
    }

    public func waitForCardRemoval(until deadline: Deadline) async throws(ReaderError) -> Bool {
        try await gate.run("waiting for the card's removal") { () throws(ReaderError) in
            try await wait(for: .absent, until: deadline)
        }
    }

    public func powerOnCard(until deadline: Deadline) async throws(ReaderError) -> [UInt8] {
        try await gate.run("powering the card on") { () throws(ReaderError) in
            // From here on the card may have power, whatever becomes of the answers.
            card.withLock { $0 = PoweredCard() }
            let activation = CCIDActivation(link: link, descriptor: descriptor)
            let (bytes, atr) = try await activation.powerOn(until: deadline)
            let channel = try await activation.channel(atr, until: deadline)
            card.withLock { $0 = PoweredCard(channel: channel) }
            return bytes
        }
    }

    public func transmit(_ command: CommandAPDU, until deadline: Deadline) async throws(ReaderError) -> ResponseAPDU {
        try await gate.run("sending a command to the card") { () throws(ReaderError) in
            guard var channel = card.withLock({ $0?.channel }) else {
                throw ReaderError(.cardRemoved, during: "sending a command to the card", detail: "it is not powered")
            }
            do throws(ReaderError) {
                // After a failure, too: the block protocol must know that its last exchange did not end.
                defer { card.withLock { $0?.channel = channel } }
                let answer = try await channel.transmit(command.bytes, over: link, until: deadline)
                guard let response = ResponseAPDU(bytes: answer) else {
                    throw ReaderError(
                        .protocolViolation, during: "sending a command to the card",
                        detail: "an answer of \(answer.count) bytes has no status word")
                }
                return response
            } catch {
                throw await named(error)
            }
        }
    }

    /// A failed exchange with an inactive slot means that the card was taken out and perhaps put back.
    private func named(_ error: ReaderError) async -> ReaderError {
        guard error.code == .cardMute || error.code == .protocolViolation else { return error }
        let deadline = Deadline.after(CCIDLink.abortTimeout, on: link.clock)
        let status = try? await link.exchange(
            .getSlotStatus, expecting: .slotStatus, operation: error.operation, until: deadline
        ).status.card
        guard status == .absent || (status == .inactive && error.code == .protocolViolation) else { return error }
        return ReaderError(.cardRemoved, during: error.operation, detail: error.detail)
    }

    public func powerOffCard() async {
        // In a task of its own: a cancelled payment must still power the card down.
        await Task {
            try? await gate.run("powering the card off") { () throws(ReaderError) in
                try await powerOff()
            }
        }.value
    }

    public func observe(by observer: any OperationObserver) { gate.observe(by: observer) }

    public func close() async {
        let before = gate.close()
        guard before != .closed else { return }
        await Task {
            // A call that is under way has the wire: it ends with the link, and the card's next reset is a cold one.
            if before == .free { try? await powerOff() }
            await link.transport.close()
        }.value
    }

    private func powerOff() async throws(ReaderError) {
        let wasPowered = card.withLock { card in
            defer { card = nil }
            return card != nil
        }
        guard wasPowered else { return }
        _ = try await link.exchange(
            .iccPowerOff, expecting: .slotStatus, operation: "powering the card off",
            until: .after(Self.powerOffTimeout, on: link.clock))
    }

    private func presence(until deadline: Deadline) async throws(ReaderError) -> CardPresence {
        let response = try await link.exchange(
            .getSlotStatus, expecting: .slotStatus, operation: "asking for the slot status", until: deadline)
        switch response.status.card {
        case .active, .inactive: return .present
        case .absent: return .absent
        case .reserved: return .unknown
        }
    }

    /// Until the slot is as wanted (true) or the deadline (false). Notifications only shorten the wait; what counts is
    /// the slot status.
    private func wait(for wanted: CardPresence, until deadline: Deadline) async throws(ReaderError) -> Bool {
        repeat {
            do throws(ReaderError) {
                if try await presence(until: deadline) == wanted { return true }
            } catch  where error.code == .silent && deadline.hasPassed(on: link.clock) {
                // The end of the wait cut the question short.
                return false
            }
            try await pause(until: deadline)
            if Task.isCancelled { throw ReaderError(.cancelled, during: "waiting for the card") }
        } while !deadline.hasPassed(on: link.clock)
        return false
    }

    private func pause(until deadline: Deadline) async throws(ReaderError) {
        guard presencePoll == nil, link.transport.traits.hasEvents else {
            let next = Deadline.after(presencePoll ?? Self.pollInterval, on: link.clock)
            await link.clock.sleep(until: min(deadline, next).instant)
            return
        }
        do throws(TransportError) {
            let next = Deadline.after(Self.confirmInterval, on: link.clock)
            let bytes = try await link.transport.receiveEvent(until: min(deadline, next))
            if case .hardwareError(_, _, let code) = CCIDNotification(parsing: bytes) {
                throw TransportError(.failed, during: "event", underlying: "hardware error \(code)")
            }
        } catch {
            switch error.code {
            case .timedOut: return
            case .failed: throw ReaderError(.hardwareFault, during: "waiting for the card", cause: error)
            default: throw ReaderError(error, during: "waiting for the card")
            }
        }
    }
}
