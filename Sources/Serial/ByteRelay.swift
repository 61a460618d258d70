import Glibc
import Synchronization
internal import Transport

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

    private struct State: ~Copyable {
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

    private let translator: (any RelayTranslator)?
    private let report: @Sendable (RelayEvent) -> Void
    private let state = Mutex(State())

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

/// The loop's side. A channel's lock may be held around these calls; they take none but the relay's.
extension ByteRelay {
    func events(_ side: Side) -> Int16 {
        let (wantsInput, hasOutput) = state.withLock { state in
            switch side {
            case .line:
                (!state.isSuspended && (state.toClient.isEmpty || !state.isClientThere), !state.toLine.isEmpty)
            // Ready to be written is also when bytes are read that stood behind something.
            case .client: (wantsClient(&state), !state.toClient.isEmpty || (!state.unread.isEmpty && !state.isHalted))
            }
        }
        return (wantsInput ? Int16(POLLIN) : 0) | (hasOutput ? Int16(POLLOUT) : 0)
    }

    private func wantsClient(_ state: inout State) -> Bool {
        guard !state.isHalted, state.unread.isEmpty, state.toClient.count < Self.answerLimit else { return false }
        guard state.line != nil else { return state.isDiscarding || state.toLine.count < Self.holdLimit }
        return translator == nil ? state.toLine.isEmpty : state.toLine.count < Self.translatedLimit
    }

    /// Bytes have been read from an end.
    func came(_ bytes: UnsafeRawBufferPointer, from side: Side) {
        switch side {
        case .line: state.withLock { cameFromLine(bytes, &$0) }
        case .client:
            let halts = state.withLock { cameFromClient(bytes, &$0) }
            if halts { report(.halted) }
        }
    }

    private func cameFromLine(_ bytes: UnsafeRawBufferPointer, _ state: inout State) {
        guard let client = state.client, state.isClientThere else { return }
        var rest = bytes
        if let translator, !translator.passesUnchanged(bytes) {
            state.toClient.fill { translator.fromLine(bytes, client: &$0) }
            rest = UnsafeRawBufferPointer(rebasing: bytes[..<0])
        } else if state.toClient.isEmpty {
            rest = UnsafeRawBufferPointer(rebasing: bytes[client.put(bytes)...])
        }
        state.toClient.append(rest)
        state.toClient.offer { client.put($0) }
    }

    private func cameFromClient(_ bytes: UnsafeRawBufferPointer, _ state: inout State) -> Bool {
        guard translator != nil else {
            forLine(bytes, &state)
            return false
        }
        guard !state.isHalted, state.unread.isEmpty else {
            state.unread.append(bytes)
            return false
        }
        return translate(bytes, &state)
    }

    private func readUnread(_ state: inout State) -> Bool {
        guard !state.unread.isEmpty else { return false }
        // What is left of it is appended again.
        var bytes: [UInt8] = []
        state.unread.offer { unread in
            bytes = Array(unread)
            return unread.count
        }
        defer { Self.wipe(&bytes) }
        return bytes.withUnsafeBytes { translate($0, &state) }
    }

    /// True when something has to be carried out first.
    private func translate(_ bytes: UnsafeRawBufferPointer, _ state: inout State) -> Bool {
        guard let translator else { return false }
        var line: [UInt8] = []
        var halts = false
        state.toClient.fill { answers in
            let (read, mustHalt) = translator.fromClient(bytes, line: &line, client: &answers)
            halts = mustHalt
            if read < bytes.count { state.unread.append(UnsafeRawBufferPointer(rebasing: bytes[read...])) }
        }
        line.withUnsafeBytes { forLine($0, &state) }
        Self.wipe(&line)
        state.isHalted = halts
        if let client = state.client, state.isClientThere { state.toClient.offer { client.put($0) } }
        return halts
    }

    /// They may be card data.
    private static func wipe(_ bytes: inout [UInt8]) {
        bytes.withUnsafeMutableBytes { if let start = $0.baseAddress { explicit_bzero(start, $0.count) } }
    }

    private func forLine(_ bytes: UnsafeRawBufferPointer, _ state: inout State) {
        guard let line = state.line else {
            if state.isDiscarding { state.discarded += bytes.count } else { state.toLine.append(bytes) }
            return
        }
        let taken = state.toLine.isEmpty ? line.put(bytes) : 0
        if state.isAcknowledged { state.unacknowledged += taken }
        state.toLine.append(UnsafeRawBufferPointer(rebasing: bytes[taken...]))
    }

    /// An end takes bytes again.
    func write(_ side: Side) {
        let halts = state.withLock { state in
            switch side {
            case .line:
                guard let line = state.line else { return false }
                var taken = 0
                state.toLine.offer { bytes in
                    taken = line.put(bytes)
                    return taken
                }
                if state.isAcknowledged { state.unacknowledged += taken }
                return false
            case .client:
                guard let client = state.client else { return false }
                state.toClient.offer { client.put($0) }
                return !state.isHalted && readUnread(&state)
            }
        }
        if halts { report(.halted) }
    }

    /// What an end had read before it joined. Nothing is written here, since this may be another thread.
    func cameBefore(_ bytes: UnsafeRawBufferPointer, from side: Side) {
        state.withLock { state in
            switch side {
            case .line:
                guard state.client != nil, state.isClientThere else { return }
                if let translator {
                    state.toClient.fill { translator.fromLine(bytes, client: &$0) }
                } else {
                    state.toClient.append(bytes)
                }
            case .client:
                if translator == nil { state.toLine.append(bytes) } else { state.unread.append(bytes) }
            }
        }
    }

    /// A program has opened the pseudo terminal, or none has it open any more. What it has not read is dropped.
    func clientIsThere(_ isThere: Bool) {
        let isNews = state.withLock { state in
            if !isThere, state.isClientThere { state.toClient.removeAll() }
            defer { state.isClientThere = isThere }
            return state.isClientThere != isThere
        }
        if isNews { report(isThere ? .clientCame : .clientLeft) }
    }

    /// The channel will be touched no more.
    func left(_ channel: ByteChannel) {
        let event: RelayEvent? = state.withLock { state in
            if state.line === channel {
                state.line = nil
                return .lineLost
            }
            guard state.client === channel else { return nil }
            state.client = nil
            state.isClientThere = false
            state.isSuspended = false
            state.toClient.removeAll()
            return .clientLeft
        }
        if let event { report(event) }
    }
}
