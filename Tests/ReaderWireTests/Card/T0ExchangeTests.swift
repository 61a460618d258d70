import ReaderWire
import Testing

/// What is sent, what the card answers to each, and how it ends.
private struct Script: Sendable, CustomTestStringConvertible {
    let name: String
    let apdu: String
    let steps: [(send: String, answer: String)]
    let end: StatusWordAction
    var testDescription: String { name }

    init(_ name: String, _ apdu: String, _ steps: [(send: String, answer: String)], _ end: StatusWordAction) {
        (self.name, self.apdu, self.steps, self.end) = (name, apdu, steps, end)
    }
}

@Suite struct T0ExchangeTests {
    private static let select = "00A4040005A000000003"

    @Test(
        arguments: [
            Script("case 1", "00440000", [("0044000000", "9000")], .complete(hex("9000"))),
            Script("case 1 ignores 6C", "00440000", [("0044000000", "6C05")], .complete(hex("6C05"))),
            Script(
                "case 2", "0084000008", [("0084000008", "01020304050607089000")],
                .complete(hex("01020304050607089000"))),
            Script(
                "case 2, 6C", "00B2010C00", [("00B2010C00", "6C03"), ("00B2010C03", "7001009000")],
                .complete(hex("7001009000"))),
            Script(
                "case 2, 61", "80CA9F3600", [("80CA9F3600", "6102"), ("00C0000002", "AABB9000")],
                .complete(hex("AABB9000"))),
            Script("case 3", "00200080081234", [], .fail(.malformedAPDU)),
            Script(
                "case 3 keeps its warning", "0020008002AABB", [("0020008002AABB", "63C2")],
                .complete(hex("63C2"))),
            Script("case 3 keeps 6C", "0020008002AABB", [("0020008002AABB", "6C02")], .complete(hex("6C02"))),
            Script(
                "case 4 goes without Le", select + "00", [(select, "6103"), ("00C0000003", "6F01009000")],
                .complete(hex("6F01009000"))),
            Script(
                "case 4, chain of parts", select + "00",
                [(select, "6102"), ("00C0000002", "01026101"), ("00C0000001", "039000")],
                .complete(hex("0102039000"))),
            Script(
                "case 4, GET RESPONSE with the right length", select + "00",
                [(select, "6100"), ("00C0000000", "6C02"), ("00C0000002", "AABB9000")],
                .complete(hex("AABB9000"))),
            Script(
                "case 4, warning before the data", select + "00",
                [(select, "6283"), ("00C0000000", "6C02"), ("00C0000002", "AABB9000")],
                .complete(hex("AABB6283"))),
            Script(
                "case 4, warning without data", select + "00", [(select, "6300"), ("00C0000000", "6985")],
                .complete(hex("6300"))),
            Script(
                "case 4, first of two warnings", select + "00", [(select, "6283"), ("00C0000000", "AA6300")],
                .complete(hex("AA6283"))),
            Script("case 4, error", select + "00", [(select, "6A82")], .complete(hex("6A82"))),
            Script("case 4, done without data", select + "00", [(select, "9000")], .complete(hex("9000"))),
            Script(
                "error in the middle of a chain drops the parts", select + "00",
                [(select, "6102"), ("00C0000002", "01026101"), ("00C0000001", "6F00")], .complete(hex("6F00"))),
            Script("empty answer", "00440000", [("0044000000", "")], .fail(.responseTooShort)),
            Script("one byte", "00440000", [("0044000000", "90")], .fail(.responseTooShort)),
            Script("null status", "00440000", [("0044000000", "0000")], .fail(.invalidStatusWord)),
            Script("procedure byte 60", "00440000", [("0044000000", "6000")], .fail(.invalidStatusWord)),
        ])
    private func follows(_ script: Script) {
        let result: StatusWordAction
        do throws(T0Error) {
            var exchange = try T0Exchange(apdu: hex(script.apdu))
            var action = exchange.start()
            for step in script.steps {
                #expect(action == .send(hex(step.send)))
                action = exchange.receive(hex(step.answer))
            }
            result = action
            #expect(exchange.receive(hex("9000")) == .fail(.notWaiting))
        } catch {
            result = .fail(error)
        }
        #expect(result == script.end)
    }

    @Test(
        arguments: [
            ("", T0Error.malformedAPDU), ("00A404", .malformedAPDU), ("00B201140000", .malformedAPDU),
            ("00A4040003AABB", .malformedAPDU), ("00A4040001AABBCC", .malformedAPDU),
            ("00B00000000100", .extendedLength), ("00A40400000002AABB0000", .extendedLength),
        ])
    func refusesCommands(text: String, error: T0Error) {
        #expect(throws: error) { try T0Exchange(apdu: hex(text)) }
        #expect(throws: error) { try StatusWordFollower(apdu: hex(text)) }
    }

    @Test(arguments: ["6101", "6C01", "AA6101"])
    func aCardThatAlwaysAsksAgainIsGivenUp(answer: String) throws {
        var exchange = try T0Exchange(apdu: hex("00B2010C00"))
        var follower = try StatusWordFollower(apdu: hex("00B2010C00"))
        var (first, second) = (exchange.start(), follower.start())
        for _ in 1..<16 {
            first = exchange.receive(hex(answer))
            second = follower.receive(hex(answer))
            guard case .send = first, case .send = second else {
                Issue.record("gave up early")
                return
            }
        }
        #expect(exchange.receive(hex(answer)) == .fail(.tooManyRounds))
        #expect(follower.receive(hex(answer)) == .fail(.tooManyRounds))
    }

    @Test func oneResponseHasAtMost256BytesOfData() throws {
        var exchange = try T0Exchange(apdu: hex("00B0000000"))
        _ = exchange.start()
        var longest = exchange
        let data = [UInt8](repeating: 7, count: 256)
        #expect(longest.receive(data + hex("9000")) == .complete(data + hex("9000")))
        #expect(exchange.receive(data + hex("079000")) == .fail(.responseTooLong))
    }

    @Test func followerLeavesTheFirstCommandAlone() throws {
        var follower = try StatusWordFollower(apdu: hex(Self.select + "00"))
        #expect(follower.start() == .send(hex(Self.select + "00")))
        #expect(follower.receive(hex("6C20")) == .send(hex(Self.select + "20")))
        #expect(follower.receive(hex("6103")) == .send(hex("00C0000003")))
        #expect(follower.receive(hex("6C02")) == .send(hex("00C0000002")))
        #expect(follower.receive(hex("AABB9000")) == .complete(hex("AABB9000")))
    }

    @Test func followerHandsUpEverythingElse() throws {
        for (apdu, answer) in [
            (Self.select + "00", "6283"), (Self.select, "6C10"), ("00440000", "9000"), ("0084000002", "AABB9000"),
        ] {
            var follower = try StatusWordFollower(apdu: hex(apdu))
            #expect(follower.start() == .send(hex(apdu)))
            #expect(follower.receive(hex(answer)) == .complete(hex(answer)))
        }
    }

    @Test func followerStopsAtTheLargestAnswer() throws {
        var follower = try StatusWordFollower(apdu: hex("00B0000000"))
        _ = follower.start()
        _ = follower.receive([UInt8](repeating: 0, count: 65_000) + hex("6100"))
        #expect(follower.receive([UInt8](repeating: 0, count: 537) + hex("9000")) == .fail(.responseTooLong))
        follower = try StatusWordFollower(apdu: hex("00B0000000"))
        _ = follower.start()
        #expect(follower.receive([UInt8](repeating: 0, count: 65_539)) == .fail(.responseTooLong))
    }

    @Test func randomBytesNeverTrapAndAlwaysEnd() {
        for seed in 0..<10_000 as Range<UInt64> {
            var generator = SeededGenerator(seed: seed)
            let apdu = seed & 1 == 0 ? generator.bytes(upTo: 12) : hex(Self.select + "00")
            guard var exchange = try? T0Exchange(apdu: apdu), var follower = try? StatusWordFollower(apdu: apdu)
            else { continue }
            #expect(steps(exchange.start()) { exchange.receive(Self.answer(&generator)) } <= 17)
            #expect(steps(follower.start()) { follower.receive(Self.answer(&generator)) } <= 17)
        }
    }

    /// Often a status word that asks for more.
    private static func answer(_ generator: inout SeededGenerator) -> [UInt8] {
        let words: [[UInt8]] = [[0x61, 5], [0x6C, 3], [0x62, 0x83], [0x63, 0], [0x61, 0], []]
        return generator.bytes(upTo: 10) + (words.randomElement(using: &generator) ?? [])
    }

    private func steps(_ first: StatusWordAction, next: () -> StatusWordAction) -> Int {
        var count = 1
        var action = first
        while case .send = action, count < 100 {
            action = next()
            count += 1
        }
        return count
    }
}
