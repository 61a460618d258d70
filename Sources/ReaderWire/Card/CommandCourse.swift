/// The course of one command and of the commands that its status words ask for, at whatever level they are carried: which
/// was sent last, what has come so far, and that it ends once.
struct CommandCourse: Sendable, Hashable {
    enum Phase: Sendable, Hashable {
        case ready
        case command
        case getResponse
        case finished
    }

    private(set) var phase = Phase.ready
    private(set) var collector = ResponseCollector()

    mutating func start(with bytes: [UInt8]) -> StatusWordAction {
        guard phase == .ready else { return fail(.notWaiting) }
        return send(bytes)
    }

    /// The response taken apart, when one is awaited.
    ///
    /// - Parameter maximumLength: in bytes, the status word included.
    func accept(_ response: [UInt8], maximumLength: Int) throws(T0Error) -> ResponseCollector.Response {
        guard phase == .command || phase == .getResponse else { throw .notWaiting }
        return try collector.split(response, maximumLength: maximumLength)
    }

    mutating func keep(_ part: ArraySlice<UInt8>) throws(T0Error) {
        try collector.append(part)
    }

    /// The command itself, the first time or with another Le.
    mutating func send(_ bytes: [UInt8]) -> StatusWordAction {
        send(bytes, then: .command)
    }

    /// GET RESPONSE with class 00, for `length` bytes (0 for 256).
    mutating func getResponse(_ length: UInt8) -> StatusWordAction {
        send([0x00, 0xC0, 0x00, 0x00, length], then: .getResponse)
    }

    mutating func complete(_ response: [UInt8]) -> StatusWordAction {
        phase = .finished
        return .complete(response)
    }

    mutating func fail(_ error: T0Error) -> StatusWordAction {
        phase = .finished
        return .fail(error)
    }

    private mutating func send(_ bytes: [UInt8], then next: Phase) -> StatusWordAction {
        do throws(T0Error) {
            try collector.countRound()
        } catch {
            return fail(error)
        }
        phase = next
        return .send(bytes)
    }
}
