import ISO8583
import Money
import NetworkTransport
import Synchronization
public import Transport

/// An acquirer's host over ISO 8583 and TCP. One connection serves any number of requests at a time; it is made when it
/// is needed, kept alive by echoes, and made again after it was lost.
///
/// `notSent` means that no byte of the request can have reached the host: there was no connection, or none was written.
/// Everything after the first byte that is not a usable answer in time is `noAnswer`.
public final class ISO8583Gateway: Gateway {
    public let name = "iso8583"

    let messages: HostMessages
    let trace: TraceBook
    let clock: any MonotonicClock
    let pending = PendingAnswers()
    let statistics = Mutex(GatewayLineStatistics())
    private let options: ISO8583GatewayOptions
    private let codec: MessageCodec
    private let loop: NetworkLoop
    private let lateAnswers: @Sendable (LateAnswer) -> Void
    private let line = Mutex(Line())

    private struct Line {
        var session: HostSession?
        /// Those who wait for the connection that is being made; nil when none is.
        var waiting: [Rendezvous<Result<HostSession, GatewayError>>]?
        var lastID: UInt64 = 0
        var isClosed = false
    }

    /// - Parameters:
    ///   - terminal: of reversals, inquiries and network messages.
    ///   - tracePath: the file of trace numbers, made on first use (0600); its directory must exist.
    ///   - now: the wall clock, in milliseconds since 1970; nil: the system's.
    ///   - lateAnswers: told of each answer that came after its deadline; must return soon.
    /// - Throws: `notSent` when a thread cannot be started.
    public init(
        _ options: ISO8583GatewayOptions, terminal: TerminalIdentity, tracePath: String, clock: any MonotonicClock,
        now: (@Sendable () -> Int64)? = nil, lateAnswers: @escaping @Sendable (LateAnswer) -> Void = { _ in }
    ) throws(GatewayError) {
        self.options = options
        self.clock = clock
        self.lateAnswers = lateAnswers
        codec = MessageCodec(options.profile)
        messages = HostMessages(options: options, terminal: terminal)
        // A host that knows attempts takes a reversal without the original's numbers, should a power cut take them.
        trace = try TraceBook(
            path: tracePath, flushesLines: !options.sendsAttempts, now: now ?? UniversalTime.systemMilliseconds)
        do throws(NetworkError) {
            loop = try NetworkLoop(named: "host", clock: clock)
        } catch {
            throw .notSent(reason: error.description)
        }
    }

    /// What the line has seen.
    public var lineStatistics: GatewayLineStatistics { statistics.withLock { $0 } }

    /// Sends an echo and waits for its answer; connects first when there is no connection.
    public func echo(until deadline: Deadline) async throws(GatewayError) {
        let session = try await session(until: deadline)
        do throws(GatewayError) {
            try await network("301", on: session, until: deadline)
        } catch {
            // The line was lost before the echo could leave: a fresh one shows whether the host is there.
            guard case .notSent = error, session.isOver else { throw error }
            try await network("301", on: try await self.session(until: deadline), until: deadline)
        }
    }

    /// Ends the connection and the threads. Requests under way end with what is known of them.
    public func close() async {
        let session = line.withLock { line in
            line.isClosed = true
            defer { line.session = nil }
            return line.session
        }
        await session?.close()
        loop.stop()
        trace.close()
    }
}

extension ISO8583Gateway {
    /// Sends a question and waits for its answer.
    func exchange(
        _ message: Message, _ attempt: AttemptID?, until deadline: Deadline
    ) async throws(GatewayError) -> Message {
        guard !Task.isCancelled else { throw .cancelled(sent: false) }
        guard !deadline.hasPassed(on: clock) else { throw .notSent(reason: "no time is left") }
        let frame = try encode(message)
        var session = try await session(until: deadline)
        var outcome = await exchange(message, frame, attempt, on: session, until: deadline)
        if case .unsent(_, lineWasLost: true) = outcome {
            // The host has closed the line while it was idle: nothing has left, so a fresh one is as good.
            session = try await self.session(until: deadline)
            outcome = await exchange(message, frame, attempt, on: session, until: deadline)
        }
        return try outcome.get()
    }

    private enum Outcome {
        case answered(Message)
        case unsent(GatewayError, lineWasLost: Bool)
        case failed(GatewayError)

        func get() throws(GatewayError) -> Message {
            switch self {
            case .answered(let message): return message
            case .unsent(let error, _), .failed(let error): throw error
            }
        }
    }

    private func exchange(
        _ message: Message, _ frame: [UInt8], _ attempt: AttemptID?, on session: HostSession, until deadline: Deadline
    ) async -> Outcome {
        guard let answer = pending.register(message, attempt, session: session.id) else {
            return .failed(.noAnswer(reason: "the same request is being answered already"))
        }
        do throws(NetworkError) {
            try await session.connection.send(frame, until: deadline)
        } catch {
            pending.withdraw(message, wasAnswered: false)
            let isCancel = error.code == .cancelled
            guard !error.mayHaveLeft else {
                return .failed(isCancel ? .cancelled(sent: true) : .noAnswer(reason: error.detail))
            }
            return .unsent(
                isCancel ? .cancelled(sent: false) : .notSent(reason: error.detail), lineWasLost: error.code == .closed)
        }
        session.touch()
        switch await answer.wait(until: deadline, on: clock) {
        case .value(.success(let answer)): return .answered(answer)
        case .value(.failure(.connectionLost(let reason))), .value(.failure(.unusable(let reason))):
            return .failed(.noAnswer(reason: reason))
        case .timedOut:
            pending.withdraw(message, wasAnswered: false)
            return .failed(.noAnswer(reason: "no answer came in time"))
        case .cancelled:
            pending.withdraw(message, wasAnswered: false)
            return .failed(.cancelled(sent: true))
        }
    }

    private func network(_ function: String, on session: HostSession, until deadline: Deadline)
        async throws(GatewayError)
    {
        let (record, _) = try await trace.take(nil, .other, type: "0800")
        let message = messages.network(function, record)
        let frame = try encode(message)
        let answer = try await exchange(message, frame, nil, on: session, until: deadline).get()
        let code = try HostAnswer.responseCode(answer)
        guard code.isApproved else { throw .noAnswer(reason: "the host refuses the line (code \(code))") }
    }

    private func encode(_ message: Message) throws(GatewayError) -> [UInt8] {
        var message = message
        if let key = options.cardDataKey {
            guard let seal = CardDataSeal(key: key) else {
                throw .badRequest(reason: "the card data key is not 32 bytes")
            }
            message = try seal.seal(message)
        }
        let bytes: [UInt8]
        if let authentication = options.authentication {
            bytes = try authentication.encode(message, codec)
        } else {
            do throws(ISO8583Error) {
                bytes = try codec.encode(message)
            } catch {
                throw .badRequest(reason: error.description)
            }
        }
        guard let frame = options.framing.frame(bytes) else {
            throw .badRequest(reason: "the message is too long for its framing")
        }
        return frame
    }

    /// A message has come. False when it is none.
    private func take(_ bytes: [UInt8]) -> Bool {
        let (message, layout): (Message, [Int: Range<Int>])
        do throws(ISO8583Error) {
            (message, layout) = try codec.decodeWithLayout(bytes)
        } catch {
            statistics.withLock { $0.unreadableMessages += 1 }
            return false
        }
        var fault: PendingAnswers.Fault?
        if let authentication = options.authentication,
            !authentication.verifies(message, bytes: bytes, layout: layout)
        {
            statistics.withLock { $0.wrongAuthenticationCodes += 1 }
            fault = .unusable("the answer's authentication code is wrong")
        }
        let delivery = pending.deliver(message, fault: fault)
        statistics.withLock { statistics in
            switch delivery {
            case .delivered: break
            case .late: statistics.lateAnswers += 1
            case .duplicate: statistics.duplicateAnswers += 1
            case .stray: statistics.strayAnswers += 1
            }
        }
        if fault == nil, case .late(let attempt?) = delivery {
            lateAnswers(
                LateAnswer(
                    attempt: attempt, question: HostAnswer.question(message),
                    responseCode: message.text(39).flatMap(ResponseCode.init)))
        }
        return true
    }
}

extension ISO8583Gateway {
    /// The connection, made now if there is none. Throws `notSent` or `cancelled(sent: false)`.
    private func session(until deadline: Deadline) async throws(GatewayError) -> HostSession {
        let ready = Rendezvous<Result<HostSession, GatewayError>>()
        let (open, mustConnect, isClosed): (HostSession?, Bool, Bool) = line.withLock { line in
            if let session = line.session, !session.isOver { return (session, false, line.isClosed) }
            if line.isClosed { return (nil, false, true) }
            let isFirst = line.waiting == nil
            line.waiting = (line.waiting ?? []) + [ready]
            return (nil, isFirst, false)
        }
        guard !isClosed else { throw .notSent(reason: "the gateway has been closed") }
        if let open { return open }
        // In a task of its own: others may be waiting for the same connection.
        if mustConnect { Task { await self.open() } }
        switch await ready.wait(until: deadline, on: clock) {
        case .value(let result): return try result.get()
        case .timedOut: throw .notSent(reason: "no connection in time")
        case .cancelled: throw .cancelled(sent: false)
        }
    }

    private func open() async {
        let result: Result<HostSession, GatewayError>
        do throws(GatewayError) {
            result = .success(try await connect())
        } catch {
            result = .failure(error)
        }
        let waiting = line.withLock { line in
            if case .success(let session) = result { line.session = session }
            defer { line.waiting = nil }
            return line.waiting ?? []
        }
        for ready in waiting { ready.settle(result) }
    }

    private func connect() async throws(GatewayError) -> HostSession {
        let deadline = Deadline.after(options.connectTimeout, on: clock)
        let connection: NetworkConnection
        do throws(NetworkError) {
            connection = try await loop.connect(to: options.endpoint, tls: options.tls, until: deadline)
        } catch {
            throw .notSent(reason: error.detail)
        }
        statistics.withLock { $0.connections += 1 }
        let id = line.withLock { line in
            line.lastID += 1
            return line.lastID
        }
        let session = HostSession(id, connection, clock: clock)
        session.read(options.framing) { [weak self] in
            self?.take($0) ?? false
        } ended: { [weak self] reason in
            self?.pending.fail(session: id, reason)
        }
        if options.signsOn {
            do throws(GatewayError) {
                try await network("001", on: session, until: deadline)
            } catch {
                await session.close()
                throw .notSent(reason: "the host has not accepted the sign-on")
            }
        }
        if let interval = options.echoInterval {
            session.keepAlive(every: interval) { [weak self] in await self?.echo(on: session) ?? false }
        }
        return session
    }

    private func echo(on session: HostSession) async -> Bool {
        do throws(GatewayError) {
            try await network("301", on: session, until: .after(options.connectTimeout, on: clock))
            return true
        } catch {
            return false
        }
    }
}
