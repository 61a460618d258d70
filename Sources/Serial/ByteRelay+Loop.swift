import Glibc
import Synchronization

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
            state.unread.removeAll()
            return .clientLeft
        }
        if let event { report(event) }
    }
}
