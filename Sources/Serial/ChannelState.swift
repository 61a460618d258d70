internal import Transport

/// What a channel knows: bytes that came, who waits for what, and whether it has ended. Pure bookkeeping, kept under the
/// channel's lock; each change answers the waits that it ends, and the caller resumes them outside the lock.
struct ChannelState {
    typealias Answer = Result<[UInt8], TransportError>
    typealias Continuation = CheckedContinuation<Answer, Never>

    struct Ended {
        var continuation: Continuation
        var answer: Answer

        func resume() { continuation.resume(returning: answer) }
    }

    enum Wish {
        case receive(atMost: Int)
        case send([UInt8], sent: Int)
        /// The other side of a pseudo terminal is there, or is not.
        case peer(isThere: Bool)

        var operation: String {
            switch self {
            case .receive: "receive"
            case .send: "send"
            case .peer: "wait for the other side"
            }
        }
    }

    private struct Wait {
        var id: UInt64
        var wish: Wish
        var deadline: Deadline
        var continuation: Continuation
        /// Cancelled while its bytes were with the kernel: the loop will end it.
        var isCancelled = false

        var isReceive: Bool { if case .receive = wish { true } else { false } }
        var isSend: Bool { if case .send = wish { true } else { false } }

        func failed(_ code: TransportError.Code) -> Ended {
            var text: String?
            if case .send(let bytes, let sent) = wish, sent > 0 { text = "\(sent) of \(bytes.count) bytes were sent" }
            return Ended(
                continuation: continuation,
                answer: .failure(TransportError(code, during: wish.operation, underlying: text)))
        }
    }

    /// More than this is left to the kernel, whose own buffer and flow control then hold the other side back.
    static let inboundLimit = 65_536
    /// Given to the kernel at once, bytes.
    static let chunk = 4096

    private(set) var inbound = ByteQueue()
    private var waits: [Wait] = []
    private var lastID: UInt64 = 0
    /// Cancels that were faster than the wait they are meant for.
    private var earlyCancels: Set<UInt64> = []
    /// The send whose bytes the kernel is being given.
    private var writing: UInt64?
    private(set) var isPeerThere: Bool
    private(set) var ending: TransportError.Code?

    init(isPeerThere: Bool) {
        self.isPeerThere = isPeerThere
    }

    var wantsInput: Bool { ending == nil && inbound.count < Self.inboundLimit }

    var hasOutput: Bool {
        isPeerThere && waits.contains(where: \.isSend)
    }

    mutating func newID() -> UInt64 {
        lastID &+= 1
        return lastID
    }

    /// Bytes that are there already, for a receive that need not wait.
    mutating func takeInbound(atMost count: Int) -> [UInt8]? {
        guard !inbound.isEmpty else { return nil }
        return inbound.take(atMost: count)
    }

    /// Begins a wait, unless it is over already.
    mutating func begin(
        _ id: UInt64, _ wish: Wish, until deadline: Deadline, at now: MonotonicInstant, _ continuation: Continuation
    ) -> Ended? {
        let wait = Wait(id: id, wish: wish, deadline: deadline, continuation: continuation)
        if case .receive(let count) = wish, let bytes = takeInbound(atMost: count) {
            earlyCancels.remove(id)
            return Ended(continuation: continuation, answer: .success(bytes))
        }
        if let ending { return wait.failed(ending) }
        if earlyCancels.remove(id) != nil { return wait.failed(.cancelled) }
        if deadline.instant <= now { return wait.failed(.timedOut) }
        if case .peer(let isThere) = wish, isThere == isPeerThere {
            return Ended(continuation: continuation, answer: .success([]))
        }
        waits.append(wait)
        return nil
    }

    mutating func cancel(_ id: UInt64) -> Ended? {
        guard let place = waits.firstIndex(where: { $0.id == id }) else {
            earlyCancels.insert(id)
            return nil
        }
        guard writing != id else {
            waits[place].isCancelled = true
            return nil
        }
        return waits.remove(at: place).failed(.cancelled)
    }

    /// The wait is over, and a cancel that comes later is meant for nobody.
    mutating func forget(_ id: UInt64) {
        earlyCancels.remove(id)
    }

    /// Loop only: ends what is out of time. Answers the deadline that is next.
    mutating func expire(at now: MonotonicInstant) -> (ended: [Ended], next: MonotonicInstant?) {
        guard !waits.isEmpty else { return ([], nil) }
        let due = waits.filter { $0.deadline.instant <= now }
        if !due.isEmpty { waits.removeAll { $0.deadline.instant <= now } }
        return (due.map { $0.failed(.timedOut) }, waits.map(\.deadline.instant).min())
    }

    /// Loop only: bytes have come.
    mutating func deliver(_ bytes: some Collection<UInt8>) -> [Ended] {
        inbound.append(bytes)
        var ended: [Ended] = []
        while !inbound.isEmpty, let place = waits.firstIndex(where: \.isReceive) {
            let wait = waits.remove(at: place)
            guard case .receive(let count) = wait.wish else { continue }
            ended.append(Ended(continuation: wait.continuation, answer: .success(inbound.take(atMost: count))))
        }
        return ended
    }

    mutating func discardInbound() {
        inbound.removeAll()
    }

    /// Loop only: the bytes that go next. `wrote` must follow.
    mutating func takeOutput() -> ArraySlice<UInt8>? {
        guard isPeerThere else { return nil }
        for wait in waits {
            guard case .send(let bytes, let sent) = wait.wish else { continue }
            writing = wait.id
            return bytes[sent..<min(bytes.count, sent + Self.chunk)]
        }
        return nil
    }

    /// Loop only: the kernel has taken so many of the bytes.
    mutating func wrote(_ count: Int) -> Ended? {
        defer { writing = nil }
        guard let place = waits.firstIndex(where: { $0.id == writing }),
            case .send(let bytes, let sent) = waits[place].wish
        else { return nil }
        if sent + count >= bytes.count {
            let wait = waits.remove(at: place)
            return Ended(continuation: wait.continuation, answer: .success([]))
        }
        waits[place].wish = .send(bytes, sent: sent + count)
        return waits[place].isCancelled ? waits.remove(at: place).failed(.cancelled) : nil
    }

    /// Loop only: the other side of a pseudo terminal came or left.
    mutating func peerIsThere(_ isThere: Bool) -> [Ended] {
        isPeerThere = isThere
        let met = waits.filter { if case .peer(isThere: isThere) = $0.wish { true } else { false } }
        waits.removeAll { if case .peer(isThere: isThere) = $0.wish { true } else { false } }
        return met.map { Ended(continuation: $0.continuation, answer: .success([])) }
    }

    /// Loop only: nothing comes or goes any more. Bytes that came before a device left can still be received; after a
    /// close nobody asks for them.
    mutating func end(_ code: TransportError.Code) -> [Ended] {
        guard ending == nil else { return [] }
        ending = code
        if code == .closed { inbound.removeAll() }
        defer { waits = [] }
        return waits.map { $0.failed(code) }
    }

    /// The device had left; now this side has closed too.
    mutating func close() {
        ending = .closed
        inbound.removeAll()
    }
}
