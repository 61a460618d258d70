import Synchronization

/// Moves bytes between a line and a client, both of one `SerialContext`, on the thread of its loop: what has come from the
/// one is written to the other at once, and only what that does not take is kept. While something is kept, the end that
/// it came from is not read, so that the kernel holds it back: a slow client costs neither memory nor another line's time.
///
/// Either end may be missing. What a line says while no client is there is dropped, as with a tty that nobody has open;
/// what a client says while the line is missing is held for a while (`holdLimit`), until `discardHeld()`.
package final class ByteRelay: Sendable {
    package enum Side: Sendable {
        case line, client
    }

    struct State: ~Copyable {
        var line: ByteChannel?
        var client: ByteChannel?
        /// A program has the pseudo terminal open; always true of a socket.
        var isClientThere = false
        var toLine = RelayBuffer()
        var toClient = RelayBuffer()
        /// The client's bytes behind something that is being carried out.
        var unread = RelayBuffer()
        var isHalted = false
        var isSuspended = false
        var isDiscarding = false
        var discarded = 0
        /// Of a line behind a pipe: whoever empties the pipe says what has reached the line.
        var isAcknowledged = false
        var unacknowledged = 0
    }

    /// Kept of what a client says while the line is missing, bytes. The rest waits in the kernel.
    package static let holdLimit = 4096
    /// Kept for the line when a translator has to see what stands behind it, bytes.
    static let translatedLimit = 32_768
    /// Kept for the client before its own bytes are left in the kernel: answers are for somebody who reads.
    static let answerLimit = 65_536

    let translator: (any RelayTranslator)?
    let report: @Sendable (RelayEvent) -> Void
    let state = Mutex(State())

    /// - Parameter report: called on the loop's thread, which must not be kept waiting.
    package init(translator: (any RelayTranslator)? = nil, report: @escaping @Sendable (RelayEvent) -> Void) {
        self.translator = translator
        self.report = report
    }

    // MARK: Who takes part

    /// The line is there (again). What was held goes to it. From now on its `receive` answers nothing.
    ///
    /// - Parameter isAcknowledged: it is a pipe to the line, and `acknowledge` will say what has come through it.
    package func attach(line: RelayEnd, isAcknowledged: Bool = false) {
        state.withLock { state in
            state.line = line.channel
            state.isDiscarding = false
            state.isAcknowledged = isAcknowledged
            state.unacknowledged = 0
        }
        line.channel.join(self, as: .line)
    }

    /// Of one client at a time. What was kept for an earlier one is dropped.
    package func attach(client: RelayEnd, greeting: [UInt8] = []) {
        state.withLock { state in
            state.client = client.channel
            state.isClientThere = false
            state.isHalted = false
            state.isSuspended = false
            state.unread.removeAll()
            state.toClient.removeAll()
            state.toClient.append(greeting)
        }
        client.channel.join(self, as: .client)
    }

    package var hasClient: Bool { state.withLock { $0.client != nil && $0.isClientThere } }

    // MARK: What its owner asks for

    /// Throws away what is held for a missing line, and everything that the client says until a line is there again.
    package func discardHeld() {
        state.withLock { state in
            guard state.line == nil else { return }
            state.isDiscarding = true
            state.discarded += state.toLine.removeAll()
        }
        wake()
    }

    /// How many bytes were thrown away for want of a line since it was asked last.
    package func takeDiscarded() -> Int {
        state.withLock { state in
            defer { state.discarded = 0 }
            return state.discarded
        }
    }

    /// Bytes that the line has not taken yet.
    package var waitingForLine: Int { state.withLock { $0.toLine.count + $0.unacknowledged } }

    /// The line has taken so many bytes from the pipe to it.
    package func acknowledge(_ count: Int) {
        state.withLock { $0.unacknowledged = max(0, $0.unacknowledged - count) }
    }

    /// Throws away what is not out to the line yet.
    package func purgeToLine() {
        state.withLock { _ = $0.toLine.removeAll() }
    }

    /// The line is read no more until it is false again: the client asks for a pause.
    package func suspend(_ isSuspended: Bool) {
        state.withLock { $0.isSuspended = isSuspended }
        wake()
    }

    /// Says something to the client that does not come from the line.
    package func answer(_ bytes: [UInt8]) {
        state.withLock { state in
            if state.client != nil { state.toClient.append(bytes) }
        }
        wake()
    }

    /// What was to be carried out is done.
    package func goOn() {
        state.withLock { $0.isHalted = false }
        wake()
    }

    private func wake() {
        let ends = state.withLock { [$0.line, $0.client] }
        for end in ends { end?.wakeLoop() }
    }
}
