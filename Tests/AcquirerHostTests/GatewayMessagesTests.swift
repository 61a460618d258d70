import Crypto
import Foundation
import Gateways
import ISO8583
import NetworkTransport
import Testing
import Transport

/// What the gateway writes, field by field, at a given moment.
@Suite struct GatewayMessagesTests {
    /// A host that shows each message and answers it with a code.
    private struct Scribe {
        let loop: NetworkLoop
        let gateway: ISO8583Gateway
        let messages = Rendezvous<NetworkConnection>()
        let path = NSTemporaryDirectory() + "scribe-\(UUID().uuidString)"
        let codec: MessageCodec

        init(_ change: (inout ISO8583GatewayOptions) -> Void = { _ in }) throws {
            loop = try NetworkLoop(named: "scribe", clock: SystemMonotonicClock.shared)
            let accepted = messages
            let endpoint = try loop.listen(on: #require(Endpoint("127.0.0.1:0"))) { accepted.settle($0) }.endpoint
            var options = ISO8583GatewayOptions(endpoint: endpoint, profile: try .ascii)
            options.echoInterval = nil
            options.acquirer = "400001"
            change(&options)
            codec = MessageCodec(options.profile)
            // 2026-11-30 16:20:31 UTC.
            gateway = try ISO8583Gateway(
                options, terminal: HostBed.terminal, tracePath: path, clock: SystemMonotonicClock.shared,
                now: { 1_796_055_631_000 })
        }

        func soon() -> Deadline { .after(.seconds(60), on: SystemMonotonicClock.shared) }

        /// Answers `count` messages and gives them back.
        func answer(_ count: Int, code: String) async throws -> [Message] {
            guard case .value(let line) = await messages.wait(until: soon(), on: SystemMonotonicClock.shared) else {
                return []
            }
            var reader = FrameReader(.plain)
            var seen: [Message] = []
            while seen.count < count {
                reader.append(try await line.receive(until: soon()))
                while let frame = try reader.next() {
                    let message = try codec.decode(frame.message)
                    seen.append(message)
                    var reply = Message(try #require(message.type.response))
                    for number in [11, 37, 41] { reply[number] = message[number] }
                    reply.set(39, code)
                    try await line.send(#require(MessageFraming.plain.frame(codec.encode(reply))), until: soon())
                }
            }
            return seen
        }

        func close() async {
            await gateway.close()
            loop.stop()
            for name in ["", ".lock"] { try? FileManager.default.removeItem(atPath: path + name) }
        }
    }

    private func fields(_ message: Message) -> [Int: String] {
        message.fields.compactMapValues { value in
            if case .text(let text) = value { text } else { nil }
        }
    }

    private static let common = [
        4: "000000012345", 7: "1130162031", 12: "102030", 13: "1130", 19: "484", 25: "00", 32: "400001",
        37: "633416000001", 41: "KIOSK001", 42: "READERKIT000001", 49: "484", 62: "s1",
    ]

    @Test("the advice of an offline approval, its repeat and its reversal")
    func adviceAndReversal() async throws {
        let scribe = try Scribe()
        async let seen = scribe.answer(3, code: "00")
        _ = try await scribe.gateway.forward(AdviceTests.advice(), until: scribe.soon())
        _ = try await scribe.gateway.forward(AdviceTests.advice(), until: scribe.soon())
        _ = try await scribe.gateway.reverse(reversal("s1"), until: scribe.soon())
        let messages = try await seen
        try #require(messages.count == 3)
        #expect(messages.map(\.type.text) == ["0220", "0221", "0420"])
        var expected = Self.common
        expected.merge([2: "4761739001010119", 3: "000000", 11: "000001", 14: "3112", 22: "051", 23: "001", 39: "Y3"]) {
            $1
        }
        #expect(fields(messages[0]) == expected)
        #expect(fields(messages[1]) == expected)
        #expect(messages[0].bytes(55) == (try AdviceTests.advice().request.chipData))
        #expect(messages[2].text(90)?.hasPrefix("0220000001") == true)
        await scribe.close()
    }

    @Test("a host that cannot take an advice now has not answered", arguments: ["91", "96"])
    func adviceNotNow(code: String) async throws {
        let scribe = try Scribe()
        async let seen = scribe.answer(1, code: code)
        let error = await #expect(throws: GatewayError.self) {
            _ = try await scribe.gateway.forward(AdviceTests.advice(), until: scribe.soon())
        }
        #expect(error?.moneyMayHaveMoved == true)
        _ = try await seen
        await scribe.close()
    }

    @Test("a sale, its repeat and its reversal")
    func saleAndReversal() async throws {
        let scribe = try Scribe()
        async let seen = scribe.answer(4, code: "00")
        _ = try await scribe.gateway.authorise(sale("s1", tip: 15_00), until: scribe.soon())
        _ = try await scribe.gateway.authorise(sale("s1", tip: 15_00), until: scribe.soon())
        _ = try await scribe.gateway.reverse(reversal("s1"), until: scribe.soon())
        _ = try await scribe.gateway.reverse(reversal("s1"), until: scribe.soon())
        let messages = try await seen
        try #require(messages.count == 4)
        #expect(messages.map(\.type.text) == ["0200", "0201", "0420", "0421"])
        var expected = Self.common
        expected.merge([
            2: "4761739001010119", 3: "000000", 11: "000001", 14: "3112", 22: "901", 23: "001", 48: "MSI03",
            54: "0044484C000000001500",
        ]) { $1 }
        #expect(fields(messages[0]) == expected)
        #expect(fields(messages[1]) == expected)
        var taken = Self.common
        taken.merge([3: "000000", 11: "000002", 39: "68", 90: "020000000111301620310000040000100000000000"]) { $1 }
        #expect(fields(messages[2]) == taken)
        #expect(fields(messages[3]) == taken)
        await scribe.close()
    }

    @Test("a refund, and the reversal of something that was never sent from here")
    func refundAndUnknown() async throws {
        let scribe = try Scribe { $0.acquirer = nil }
        async let seen = scribe.answer(2, code: "00")
        _ = try await scribe.gateway.refund(refund("r1", of: "s1", 123_45), until: scribe.soon())
        _ = try await scribe.gateway.reverse(reversal("s9"), until: scribe.soon())
        let messages = try await seen
        try #require(messages.count == 2)
        var expected = Self.common
        expected[32] = nil
        expected.merge([3: "200000", 11: "000001", 22: "010", 62: "r1", 63: "s1"]) { $1 }
        #expect(messages[0].type == .financialRequest)
        #expect(fields(messages[0]) == expected)
        #expect(messages[1].text(90) == String(repeating: "0", count: 42))
        #expect(messages[1].text(62) == "s9")
        await scribe.close()
    }

    @Test("codes of a reversal's answer are read as what they say")
    func reversalCodes() async throws {
        for (code, expected) in [("25", ReversalResponse.nothingToReverse), ("12", .refused(.invalidTransaction))] {
            let scribe = try Scribe()
            async let seen = scribe.answer(1, code: code)
            #expect(try await scribe.gateway.reverse(reversal("s1"), until: scribe.soon()) == expected)
            _ = try await seen
            await scribe.close()
        }
        for code in ["91", "96"] {
            let scribe = try Scribe()
            async let seen = scribe.answer(1, code: code)
            let error = await #expect(throws: GatewayError.self) {
                _ = try await scribe.gateway.reverse(reversal("s1"), until: scribe.soon())
            }
            #expect(error?.moneyMayHaveMoved == true)
            _ = try await seen
            await scribe.close()
        }
    }

    @Test("a host that cannot be asked is not asked; what is unknown is then for a reversal")
    func noInquiry() async throws {
        let scribe = try Scribe { $0.inquiry = .none }
        let error = await #expect(throws: GatewayError.self) {
            _ = try await scribe.gateway.status(of: #require(AttemptID("s1")), until: scribe.soon())
        }
        #expect(error?.code == .noAnswer)
        #expect(scribe.gateway.lineStatistics.connections == 0)
        await scribe.close()
    }

    @Test("with a card data key no card number is on the line, and the plain text is what the document says")
    func sealed() async throws {
        let scribe = try Scribe { $0.cardDataKey = SecretBytes([UInt8](1...32)) }
        async let seen = scribe.answer(1, code: "05")
        _ = try await scribe.gateway.authorise(sale("s1"), until: scribe.soon())
        let message = try #require(try await seen.first)
        #expect(message[2] == nil && message[14] == nil)
        let digits = try #require(message.text(127))
        let sealed = try #require(HexDigits.decode(Array(digits.utf8)))
        let plain = try AES256GCM.open(
            Array(sealed.dropFirst(12)), key: SecretBytes([UInt8](1...32)), nonce: Array(sealed.prefix(12)),
            authenticating: Array("000001\0633416000001\0KIOSK001\0".utf8))
        #expect(plain == Array("0020164761739001010119".utf8) + Array("0140043112".utf8))
        await scribe.close()
    }

    @Test("0500 is answered with the host's totals")
    func reconciliation() async throws {
        let bed = try HostBed()
        _ = try await bed.gateway.authorise(sale("s1"), until: bed.soon())
        _ = try await bed.gateway.authorise(sale("s2", 5_00), until: bed.soon())
        _ = try await bed.gateway.refund(refund("r1", of: "s1", 23_45), until: bed.soon())
        _ = try await bed.gateway.reverse(reversal("s2", 5_00), until: bed.soon())
        let clock = SystemMonotonicClock.shared
        let loop = try NetworkLoop(named: "settle", clock: clock)
        let soon = Deadline.after(.seconds(60), on: clock)
        let line = try await loop.connect(to: bed.endpoint, until: soon)
        let codec = MessageCodec(try .ascii)
        var request = Message(.reconciliationRequest)
        request.set(11, "000009")
        request.set(49, "484")
        try await line.send(#require(MessageFraming.plain.frame(codec.encode(request))), until: soon)
        var reader = FrameReader(.plain)
        reader.append(try await line.receive(until: soon))
        let frame = try #require(try reader.next())
        let reply = try codec.decode(frame.message)
        #expect(reply.type == .reconciliationResponse)
        #expect(
            fields(reply) == [
                11: "000009", 39: "00", 49: "484", 74: "0000000001", 76: "0000000002", 77: "0000000001",
                86: "0000000000002345", 88: "0000000000012845", 97: "C0000000000010000",
            ])
        loop.stop()
        await bed.close()
    }
}
