import AcquirerHost
import Foundation
import Gateways
import ISO8583
import Money
import NetworkTransport
import Testing
import Transport

/// 0500 and 0510: a terminal's batch at an acquirer's host.
@Suite struct SettlementMessageTests {
    private static func totals(sales: (Int, Int64), refunds: (Int, Int64) = (0, 0)) -> BatchTotals {
        BatchTotals(
            currency: .mxn, sales: BatchTotals.Tally(count: sales.0, minorUnits: sales.1),
            refunds: BatchTotals.Tally(count: refunds.0, minorUnits: refunds.1))
    }

    private static func request(_ batch: Int64, _ totals: BatchTotals, anyway: Bool = false) -> SettlementRequest {
        SettlementRequest(batch: batch, terminal: HostBed.terminal, totals: totals, closesAnyway: anyway)
    }

    private func trade(_ bed: HostBed) async throws {
        _ = try await bed.gateway.authorise(sale("s1"), until: bed.soon())
        _ = try await bed.gateway.authorise(sale("s2", 5_00), until: bed.soon())
        _ = try await bed.gateway.refund(refund("r1", of: "s1", 23_45), until: bed.soon())
        _ = try await bed.gateway.reverse(reversal("s2", 5_00), until: bed.soon())
    }

    private static let ours = totals(sales: (1, 123_45), refunds: (1, 23_45))

    private static let theirs: BatchTotals = {
        var theirs = totals(sales: (2, 128_45), refunds: (1, 23_45))
        theirs.reversedSales = BatchTotals.Tally(count: 1, minorUnits: 5_00)
        return theirs
    }()

    @Test(
        "over every profile both sides agree, differ, and close anyway",
        arguments: ["ascii", "binary", "bcd", "ebcdic"]
    )
    func profiles(profile: String) async throws {
        var line = HostBed.Line()
        line.profile = profile
        let bed = try HostBed(line)
        try await trade(bed)
        let wrong = Self.request(1, Self.totals(sales: (1, 123_45)))
        #expect(try await bed.gateway.settle(wrong, until: bed.soon()) == .differs(Self.theirs, isClosed: false))
        let right = Self.request(1, Self.ours)
        for _ in 0..<2 {
            #expect(try await bed.gateway.settle(right, until: bed.soon()) == .agreed(Self.theirs))
        }
        _ = try await bed.gateway.refund(refund("r2", of: "s1", 1_00), until: bed.soon())
        let forced = Self.request(2, Self.totals(sales: (0, 0)), anyway: true)
        // A batch of refunds only: the net amount is below zero.
        let refunds = Self.totals(sales: (0, 0), refunds: (1, 1_00))
        #expect(try await bed.gateway.settle(forced, until: bed.soon()) == .differs(refunds, isClosed: true))
        await bed.close()
    }

    @Test("a lost answer: the batch again gets it, and is not closed twice")
    func lost() async throws {
        let bed = try HostBed()
        try await trade(bed)
        bed.script.add(HostFaultRule(.closeAfterBooking, on: .reconciliation, times: 1))
        let request = Self.request(1, Self.ours)
        let error = await #expect(throws: GatewayError.self) {
            try await bed.gateway.settle(request, until: bed.soon())
        }
        #expect(error?.moneyMayHaveMoved == true)
        _ = try await bed.gateway.authorise(sale("s3", 9_00), until: bed.soon())
        #expect(try await bed.gateway.settle(request, until: bed.soon()) == .agreed(Self.theirs))
        let next = Self.totals(sales: (1, 9_00))
        #expect(try await bed.gateway.settle(Self.request(2, next), until: bed.soon()) == .agreed(next))
        await bed.close()
    }

    @Test("a host that compares nothing is not asked")
    func none() async throws {
        let clock = SystemMonotonicClock.shared
        var options = ISO8583GatewayOptions(
            endpoint: try #require(Endpoint("127.0.0.1:1")), profile: try #require(try Profile.builtIn("ascii")))
        options.settlement = .none
        let path = NSTemporaryDirectory() + "settle-\(UUID().uuidString)"
        let gateway = try ISO8583Gateway(options, terminal: HostBed.terminal, tracePath: path, clock: clock)
        #expect(
            try await gateway.settle(Self.request(1, Self.ours), until: .after(.seconds(60), on: clock)) == .notKept)
        #expect(gateway.lineStatistics.connections == 0)
        await gateway.close()
        for name in ["", ".lock"] { try? FileManager.default.removeItem(atPath: path + name) }
    }

    /// What the host is asked and what it says, field by field.
    @Test("0500 has the batch in field 60 and the totals in 74 to 97; 0510 says in 66 whether they agree")
    func fields() async throws {
        let bed = try HostBed()
        try await trade(bed)
        let sent = Message.settlement(
            "920000", [74: "0000000001", 76: "0000000001", 86: "0000000000002345", 88: "0000000000012345"])
        let reply = try await ask(bed, sent)
        #expect(reply.type == .reconciliationResponse)
        let expected: [Int: String] = [
            3: "920000", 11: "000009", 37: "632516000009", 39: "00", 41: "KIOSK001", 42: "READERKIT000001", 49: "484",
            60: "000001", 66: "1", 74: "0000000001", 75: "0000000000", 76: "0000000002", 77: "0000000001",
            86: "0000000000002345", 87: "0000000000000000", 88: "0000000000012845", 89: "0000000000000500",
            97: "C0000000000010000",
        ]
        for number in 2...127 { #expect(reply.text(number) == expected[number], "\(number)") }
        await bed.close()
    }

    @Test(
        "a batch whose figures are missing, or contradict each other, is a format error",
        arguments: [
            [74: "0000000001", 76: "0000000001", 86: "0000000000002345"],
            [
                74: "0000000001", 76: "0000000001", 86: "0000000000002345", 88: "0000000000012345",
                97: "D0000000000010000",
            ],
        ])
    func formatError(figures: [Int: String]) async throws {
        let bed = try HostBed()
        #expect(try await ask(bed, .settlement("920000", figures)).text(39) == "30")
        await bed.close()
    }

    /// Answers of a host that does not do as ours does.
    private static let answers: [(fields: [Int: String], expected: Result<SettlementResponse, GatewayError>)] = [
        ([39: "00"], .success(.agreed(nil))), ([39: "95"], .success(.differs(nil, isClosed: false))),
        ([39: "00", 66: "2"], .success(.differs(nil, isClosed: true))),
        ([39: "95", 66: "1"], .failure(.noAnswer(reason: "the answer about the batch contradicts itself"))),
        ([39: "00", 66: "3"], .failure(.noAnswer(reason: "the host has not compared the batch"))),
        ([39: "58"], .failure(.noAnswer(reason: "the host has not compared the batch (code 58)"))),
        ([39: "00", 60: "000002"], .failure(.noAnswer(reason: "the answer is for another batch"))),
        ([39: "00", 49: "840"], .failure(.noAnswer(reason: "the answer is in another currency"))),
        (
            [39: "00", 66: "1", 74: "0000000000", 76: "0000000001", 86: "0000000000000000", 88: "0000000000012345"],
            .failure(.noAnswer(reason: "the answer about the batch contradicts itself"))
        ),
        (
            [39: "00", 74: "0000000000", 76: "0000000001", 86: "0000000000000000", 88: "0000000000012345"],
            .success(.differs(totals(sales: (1, 123_45)), isClosed: true))
        ),
        ([39: "00", 74: "0000000000"], .failure(.noAnswer(reason: "the host's totals contradict themselves"))),
    ]

    @Test("what a host may say, and what is no answer", arguments: answers.indices)
    func answer(index: Int) async throws {
        let (fields, expected) = Self.answers[index]
        let clock = SystemMonotonicClock.shared
        let loop = try NetworkLoop(named: "scribe", clock: clock)
        let soon = Deadline.after(.seconds(60), on: clock)
        let accepted = Rendezvous<NetworkConnection>()
        let endpoint = try loop.listen(on: #require(Endpoint("127.0.0.1:0"))) { accepted.settle($0) }.endpoint
        let profile = try #require(try Profile.builtIn("ascii"))
        var options = ISO8583GatewayOptions(endpoint: endpoint, profile: profile)
        options.echoInterval = nil
        let path = NSTemporaryDirectory() + "settle-\(UUID().uuidString)"
        let gateway = try ISO8583Gateway(options, terminal: HostBed.terminal, tracePath: path, clock: clock)
        let asked = Task { () -> Result<SettlementResponse, GatewayError> in
            do throws(GatewayError) {
                return .success(try await gateway.settle(Self.request(1, Self.ours), until: soon))
            } catch {
                return .failure(error)
            }
        }
        guard case .value(let line) = await accepted.wait(until: soon, on: clock) else { return }
        let codec = MessageCodec(profile)
        var reader = FrameReader(.plain)
        var frame = try reader.next()
        while frame == nil {
            reader.append(try await line.receive(until: soon))
            frame = try reader.next()
        }
        let message = try codec.decode(#require(frame).message)
        var reply = Message(.reconciliationResponse)
        for number in [11, 37, 41] { reply[number] = message[number] }
        for (number, text) in fields { reply.set(number, text) }
        try await line.send(#require(MessageFraming.plain.frame(codec.encode(reply))), until: soon)
        #expect(await asked.value == expected)
        await gateway.close()
        loop.stop()
        for name in ["", ".lock"] { try? FileManager.default.removeItem(atPath: path + name) }
    }

    private func ask(_ bed: HostBed, _ message: Message) async throws -> Message {
        let clock = SystemMonotonicClock.shared
        let loop = try NetworkLoop(named: "settle", clock: clock)
        let soon = Deadline.after(.seconds(60), on: clock)
        let line = try await loop.connect(to: bed.endpoint, until: soon)
        let codec = MessageCodec(try #require(try Profile.builtIn("ascii")))
        try await line.send(#require(MessageFraming.plain.frame(codec.encode(message))), until: soon)
        var reader = FrameReader(.plain)
        var frame = try reader.next()
        while frame == nil {
            reader.append(try await line.receive(until: soon))
            frame = try reader.next()
        }
        let reply = try codec.decode(#require(frame).message)
        await line.close()
        loop.stop()
        return reply
    }
}

extension Message {
    /// Batch 1 of the bed's terminal.
    fileprivate static func settlement(_ processingCode: String, _ figures: [Int: String]) -> Message {
        var message = Message(.reconciliationRequest)
        message.set(3, processingCode)
        message.set(11, "000009")
        message.set(37, "632516000009")
        message.set(41, "KIOSK001")
        message.set(42, "READERKIT000001")
        message.set(49, "484")
        message.set(60, "000001")
        for (number, text) in figures { message.set(number, text) }
        return message
    }
}
