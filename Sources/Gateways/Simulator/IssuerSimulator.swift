import EMV
public import Money
import Synchronization
public import Transport

/// An acquirer and its issuers within the process, for tests, demonstrations and development. It verifies the card's
/// cryptogram from the message's own field 55, answers with an ARPC that the card can verify, decides by a table of test
/// amounts, and keeps books that a test can compare with its own.
///
/// It forgets everything with the process, unless it is given a file for its book: processes that share the file talk to
/// the same host. Attempts may overlap; time comes from the clock that it is given.
public final class IssuerSimulator: Gateway {
    public let name = "simulator"
    public let isSimulation = true

    private let desk: IssuerDesk
    private let clock: any MonotonicClock
    private let slowAnswer: Duration
    private let bookPath: String?
    private let book = Mutex(StoredBook())

    public init(clock: any MonotonicClock, options: Options = Options(), directory: IssuerDirectory) {
        self.clock = clock
        desk = IssuerDesk(directory: directory, options: options)
        slowAnswer = options.slowAnswer
        bookPath = options.bookPath
    }

    /// With the issuers that are compiled in.
    public convenience init(clock: any MonotonicClock, options: Options = Options()) throws(IssuerDirectoryError) {
        self.init(clock: clock, options: options, directory: try .embedded())
    }

    public func authorise(
        _ request: AuthorisationRequest, until deadline: Deadline
    ) async throws(GatewayError) -> AuthorisationResponse {
        try await authorise(request, until: deadline, instructed: IssuerInstruction())
    }

    /// As `authorise`, with an issuer that was told what to say.
    package func authorise(
        _ request: AuthorisationRequest, until deadline: Deadline, instructed instruction: IssuerInstruction
    ) async throws(GatewayError) -> AuthorisationResponse {
        try request.validate()
        return try await sell(request, until: deadline) { () throws(CryptogramError) in
            try desk.rule(on: request, instruction)
        }
    }

    public func forward(
        _ advice: OfflineAdvice, until deadline: Deadline
    ) async throws(GatewayError) -> AuthorisationResponse {
        try advice.validate()
        return try await sell(advice.request, until: deadline) { () throws(CryptogramError) in
            try desk.rule(on: advice)
        }
    }

    private func sell(
        _ request: AuthorisationRequest, until deadline: Deadline,
        by rule: () throws(CryptogramError) -> IssuerDesk.Ruling
    ) async throws(GatewayError) -> AuthorisationResponse {
        try send(by: deadline)
        let known = try await look(until: deadline) { $0.records[request.attempt] }
        if let known { return try await deliver(known, asked: request.amount, kind: .sale, deadline) }
        try makeRoom()
        let ruling: IssuerDesk.Ruling
        do throws(CryptogramError) {
            ruling = try rule()
        } catch {
            throw .notSent(reason: error.description)
        }
        let record = SimulatorRecord(
            asked: request.amount, kind: .sale, response: ruling.response, behaviour: ruling.behaviour,
            availableAt: clock.now().advanced(by: ruling.behaviour == .slow ? slowAnswer : .zero), original: nil,
            terminal: BookTerminal(request.terminal))
        let booked = try await enter(.answered(request.attempt, record), until: deadline) {
            $0.add(record, for: request.attempt, ruling.decision)
        }
        return try await deliver(booked, asked: request.amount, kind: .sale, deadline)
    }

    public func refund(
        _ request: RefundAuthorisation, until deadline: Deadline
    ) async throws(GatewayError) -> AuthorisationResponse {
        try request.validate()
        try send(by: deadline)
        let known = try await look(until: deadline) { $0.records[request.attempt] }
        if let known { return try await deliver(known, asked: request.amount, kind: .refund, deadline) }
        try makeRoom()
        let response: AuthorisationResponse
        do throws(CryptogramError) {
            response = AuthorisationResponse(
                responseCode: .approved, authorisationCode: try HostNumber.authorisationCode(of: request.attempt),
                issuerData: [], approvedAmount: request.amount, accountType: nil, bank: nil,
                hostReference: try HostNumber.reference(of: request.attempt))
        } catch {
            throw .notSent(reason: error.description)
        }
        // Refunds know only the two amounts of the table that leave the outcome open.
        let behaviour = TestAmount(minorUnits: request.amount.minorUnits)
        let record = SimulatorRecord(
            asked: request.amount, kind: .refund, response: response,
            behaviour: [.silent, .garbage].contains(behaviour) ? behaviour : .approve, availableAt: clock.now(),
            original: request.originalAttempt, terminal: BookTerminal(request.terminal))
        let booked = try await enter(.answered(request.attempt, record), until: deadline) {
            $0.addRefund(record, for: request.attempt)
        }
        return try await deliver(booked, asked: request.amount, kind: .refund, deadline)
    }

    public func reverse(
        _ request: ReversalRequest, until deadline: Deadline
    ) async throws(GatewayError) -> ReversalResponse {
        try send(by: deadline)
        if try await look(until: deadline, { $0.records[request.attempt] }) == nil { try makeRoom() }
        let (response, isSlow) = try await enter(.reversed(request), until: deadline) { book in
            (book.reverse(request), book.records[request.attempt]?.behaviour == .slowReversal)
        }
        if isSlow { try await wait(until: clock.now().advanced(by: slowAnswer), deadline) }
        return response
    }

    public func status(
        of attempt: AttemptID, until deadline: Deadline
    ) async throws(GatewayError) -> AttemptStatus {
        try send(by: deadline)
        return try await look(until: deadline) { $0.status(of: attempt) }
    }

    public func settle(
        _ request: SettlementRequest, until deadline: Deadline
    ) async throws(GatewayError) -> SettlementResponse {
        try request.validate()
        try send(by: deadline)
        return try await enter(.settled(request), until: deadline) { $0.settle(request) }
    }

    /// Every movement of money, in order.
    public var entries: [BookEntry] { book.withLock { $0.book.entries } }

    /// Why each attempt was answered as it was, in order; without card data.
    public var decisions: [IssuerDecision] { book.withLock { $0.book.decisions } }

    /// What the merchant has got in all: sales less refunds and reversals, in minor units.
    public func bookedTotal(in currency: Currency) -> Int64 {
        book.withLock { $0.book.total(in: currency) }
    }

    /// The last moment at which nothing has left.
    private func send(by deadline: Deadline) throws(GatewayError) {
        guard !Task.isCancelled else { throw .cancelled(sent: false) }
        guard !deadline.hasPassed(on: clock) else { throw .notSent(reason: "no time is left") }
    }

    private func look<Answer: Sendable>(
        until deadline: Deadline, _ question: (SimulatorBook) -> Answer
    ) async throws(GatewayError) -> Answer {
        let file = try await lockedFile(until: deadline)
        defer { file?.close() }
        return try book.withLock { stored throws(GatewayError) in try stored.look(in: file, question) }
    }

    private func enter<Answer: Sendable>(
        _ line: BookLine, until deadline: Deadline, _ change: (inout SimulatorBook) -> Answer
    ) async throws(GatewayError) -> Answer {
        let file = try await lockedFile(until: deadline)
        defer { file?.close() }
        return try book.withLock { stored throws(GatewayError) in try stored.enter(line, in: file, change) }
    }

    /// Nil when the book is in memory only.
    private func lockedFile(until deadline: Deadline) async throws(GatewayError) -> BookFile? {
        guard let bookPath else { return nil }
        return try await BookFile.lock(bookPath, on: clock, until: deadline)
    }

    private func makeRoom() throws(GatewayError) {
        guard !book.withLock({ $0.book.isFull }) else { throw .notSent(reason: "the simulator's book is full") }
    }

    private func deliver(
        _ record: SimulatorRecord, asked: Amount, kind: BookEntry.Kind, _ deadline: Deadline
    ) async throws(GatewayError) -> AuthorisationResponse {
        guard record.asked == asked, record.kind == kind else {
            // Not a bad request: the attempt's identity has moved money before.
            throw .noAnswer(reason: "the attempt was used before for something else")
        }
        switch record.behaviour {
        case .silent: try await wait(until: MonotonicInstant(nanoseconds: .max), deadline)
        case .garbage: throw .noAnswer(reason: "the answer cannot be read")
        case .decline, .slow, .slowReversal, .partial, .approve:
            try await wait(until: record.availableAt, deadline)
        }
        return record.response
    }

    /// Waits for the host to have its answer. An answer that is there wins over cancel and deadline.
    private func wait(until instant: MonotonicInstant, _ deadline: Deadline) async throws(GatewayError) {
        while clock.now() < instant {
            guard !Task.isCancelled else { throw .cancelled(sent: true) }
            guard !deadline.hasPassed(on: clock) else { throw .noAnswer(reason: "no answer came in time") }
            await clock.sleep(until: min(instant, deadline.instant))
        }
    }
}
