import Crypto
import Foundation
import Gateways
import ISO8583
import NetworkTransport
import Synchronization
import Testing
import Transport

/// Somebody on the line who does not have the key of the codes: nothing that he says is an answer.
@Suite struct HostileHostTests {
    private static let key = SecretBytes([UInt8](1...16))
    private static let otherKey = SecretBytes([UInt8](2...17))

    /// How an approval is forged.
    enum Forgery: CaseIterable {
        case noCode, otherKey, codeOfAnotherAmount, zeroCode, codeThatIsNotLast
    }

    @Test("an approval without the right code is no answer: the money may have moved", arguments: Forgery.allCases)
    func forged(_ forgery: Forgery) async throws {
        let line = try HostileLine(key: Self.key)
        async let told: Void = line.answerNext { question in
            var approval = line.approval(of: question)
            switch forgery {
            case .noCode: return try line.codec.encode(approval)
            case .otherKey: return try line.signed(approval, Self.otherKey)
            case .codeOfAnotherAmount:
                approval.set(4, "000000000001")
                let code = try line.codec.decode(line.signed(approval, Self.key)).bytes(64)
                approval.set(4, "000000012345")
                approval.set(64, try #require(code))
                return try line.codec.encode(approval)
            case .zeroCode:
                approval.set(64, [UInt8](repeating: 0, count: 8))
                return try line.codec.encode(approval)
            case .codeThatIsNotLast:
                let code = try line.codec.decode(line.signed(approval, Self.key)).bytes(64)
                approval.set(64, try #require(code))
                approval.set(90, String(repeating: "0", count: 42))
                return try line.codec.encode(approval)
            }
        }
        let error = await #expect(throws: GatewayError.self) {
            _ = try await line.gateway.authorise(sale("s1"), until: line.soon())
        }
        try await told
        #expect(error?.moneyMayHaveMoved == true)
        #expect(line.gateway.lineStatistics.wrongAuthenticationCodes == 1)
        await line.close()
    }

    @Test("a question sent back, and the answer to an earlier one, are no answers; the right one that follows is")
    func replayed() async throws {
        let line = try HostileLine(key: Self.key)
        async let first: Void = line.answerNext { question in
            try line.signed(line.approval(of: question), Self.key)
        }
        _ = try await line.gateway.authorise(sale("s1"), until: line.soon())
        try await first
        async let second: Void = line.answerNext { question in
            try await line.send(line.signed(question, Self.key))
            try await line.send(#require(line.sent.first))
            return try line.signed(line.approval(of: question), Self.key)
        }
        #expect(try await line.gateway.authorise(sale("s2"), until: line.soon()).responseCode.isApproved)
        try await second
        let statistics = line.gateway.lineStatistics
        #expect(statistics.strayAnswers == 1 && statistics.duplicateAnswers == 1)
        await line.close()
    }

    @Test("when the host's own answer comes after a forged one, it is told of: recovery is to ask at once")
    func rightAnswerAfterForgery() async throws {
        let line = try HostileLine(key: Self.key)
        async let told: Void = line.answerNext { question in
            let approval = line.approval(of: question)
            try await line.send(line.codec.encode(approval))
            return try line.signed(approval, Self.key)
        }
        await #expect(throws: GatewayError.self) {
            _ = try await line.gateway.authorise(sale("s1"), until: line.soon())
        }
        try await told
        guard case .value(let late) = await line.late.wait(until: line.soon(), on: SystemMonotonicClock.shared) else {
            Issue.record("nobody was told")
            return
        }
        #expect(late.attempt.text == "s1" && late.responseCode?.isApproved == true)
        await line.close()
    }
}

/// A gateway that expects codes, and the other end of its line.
private final class HostileLine: Sendable {
    let gateway: ISO8583Gateway
    let codec: MessageCodec
    /// The first one.
    let late = Rendezvous<LateAnswer>()
    private let loop: NetworkLoop
    private let accepted = Rendezvous<NetworkConnection>()
    private let connection = Mutex<NetworkConnection?>(nil)
    private let messages = Mutex<[[UInt8]]>([])
    private let path = NSTemporaryDirectory() + "hostile-\(UUID().uuidString)"

    init(key: SecretBytes) throws {
        let clock = SystemMonotonicClock.shared
        let (accepted, late) = (accepted, late)
        loop = try NetworkLoop(named: "hostile", clock: clock)
        let endpoint = try loop.listen(on: #require(Endpoint("127.0.0.1:0"))) { accepted.settle($0) }.endpoint
        var options = ISO8583GatewayOptions(endpoint: endpoint, profile: try .ascii)
        options.echoInterval = nil
        options.mac = (.retail, key)
        codec = MessageCodec(options.profile)
        gateway = try ISO8583Gateway(
            options, terminal: HostBed.terminal, tracePath: path, clock: clock, lateAnswers: { late.settle($0) })
    }

    func soon() -> Deadline { .after(.seconds(60), on: SystemMonotonicClock.shared) }

    /// Waits for the next question and sends what `answer` makes of it.
    func answerNext(_ answer: @Sendable (Message) async throws -> [UInt8]) async throws {
        var reader = FrameReader(.plain)
        while true {
            reader.append(try await line().receive(until: soon()))
            guard let frame = try reader.next() else { continue }
            return try await send(answer(codec.decode(frame.message)))
        }
    }

    /// What the gateway was sent, the oldest first.
    var sent: [[UInt8]] { messages.withLock { $0 } }

    func send(_ message: [UInt8]) async throws {
        messages.withLock { $0.append(message) }
        try await line().send(#require(MessageFraming.plain.frame(message)), until: soon())
    }

    func approval(of question: Message) -> Message {
        var approval = Message(question.type.response ?? question.type)
        for number in [3, 4, 11, 37, 41, 49] { approval[number] = question[number] }
        approval.set(38, "123456")
        approval.set(39, "00")
        return approval
    }

    func signed(_ message: Message, _ key: SecretBytes) throws -> [UInt8] {
        try MessageAuthentication.retail(key).encode(message, codec)
    }

    private func line() async throws -> NetworkConnection {
        if let known = connection.withLock({ $0 }) { return known }
        guard case .value(let new) = await accepted.wait(until: soon(), on: SystemMonotonicClock.shared) else {
            throw NetworkError(.timedOut, "the gateway has not connected")
        }
        connection.withLock { $0 = new }
        return new
    }

    func close() async {
        await gateway.close()
        loop.stop()
        for name in ["", ".lock"] { try? FileManager.default.removeItem(atPath: path + name) }
    }
}
