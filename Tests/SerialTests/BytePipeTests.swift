import Glibc
import SeededInput
import Serial
import Testing
import Transport

@Suite("A port as a byte pipe", .timeLimit(.minutes(2)))
struct BytePipeTests {
    @Test("bytes go both ways as they are: no echo, no lines, no signals, no change of line ends")
    func raw() async throws {
        try await Bed.with { bed in
            let all = (0...255).map { UInt8($0) }
            try await bed.far.send(all, until: soon)
            #expect(try await bed.port.receive(exactly: 256, until: soon) == all)
            try await bed.port.send(all, until: soon)
            #expect(try await bed.far.receive(exactly: 256, until: soon) == all)
        }
    }

    @Test("a receive takes what is there and leaves the rest for the next")
    func partial() async throws {
        try await Bed.with { bed in
            try await bed.far.send([1, 2, 3, 4, 5], until: soon)
            var bytes = try await bed.port.receive(atMost: 2, until: soon)
            #expect(bytes.count <= 2)
            bytes += try await bed.port.receive(exactly: 5 - bytes.count, until: soon)
            #expect(bytes == [1, 2, 3, 4, 5])
        }
    }

    @Test("one deadline holds for a whole message; what had come is in the error")
    func deadline() async throws {
        try await Bed.with { bed in
            try await bed.far.send([0x56, 0x69], until: soon)
            let deadline = after(150)
            let error = await failure { try await bed.port.receive(exactly: 10, until: deadline) }
            #expect(error?.code == .timedOut)
            #expect(error?.partial == [0x56, 0x69])
            #expect(deadline.hasPassed(on: SystemMonotonicClock.shared))
        }
    }

    @Test("a deadline that has passed ends a receive at once, and sends nothing")
    func passed() async throws {
        try await Bed.with { bed in
            #expect(await failure { try await bed.port.receive(atMost: 1, until: after(0)) }?.code == .timedOut)
            #expect(await failure { try await bed.port.send([1], until: after(0)) }?.code == .timedOut)
            try await bed.port.send([2], until: soon)
            #expect(try await bed.far.receive(atMost: 10, until: soon) == [2])
        }
    }

    @Test("a cancel ends a receive, and the bytes that come later are for the next one")
    func cancelReceive() async throws {
        try await Bed.with { bed in
            let waiting = Task { await failure { try await bed.port.receive(atMost: 10, until: soon) } }
            await SystemMonotonicClock.shared.sleep(until: after(20).instant)
            waiting.cancel()
            #expect(await waiting.value?.code == .cancelled)
            try await bed.far.send([7], until: soon)
            #expect(try await bed.port.receive(atMost: 10, until: soon) == [7])
        }
    }

    @Test("a call of a task that is cancelled already does nothing")
    func cancelledBefore() async throws {
        try await Bed.with { bed in
            let late = Task {
                while !Task.isCancelled { await Task.yield() }
                return await failure { try await bed.port.send([1], until: soon) }?.code
            }
            late.cancel()
            #expect(await late.value == .cancelled)
            try await bed.port.send([2], until: soon)
            #expect(try await bed.far.receive(atMost: 10, until: soon) == [2])
        }
    }

    @Test("a send that the other side does not take ends at its deadline, and says how much went out")
    func backPressure() async throws {
        try await Bed.with { bed in
            // 1 MiB is more than the read-ahead of the far end and the kernel's buffers hold together.
            let bytes = [UInt8](repeating: 0x55, count: 1 << 20)
            let error = await failure { try await bed.port.send(bytes, until: after(1000)) }
            #expect(error?.code == .timedOut)
            let text = try #require(error?.underlying)
            #expect(text.hasSuffix(" of 1048576 bytes were sent"))
            try await expectExactly(Int(text.prefix { $0 != " " }), on: bed.far)
        }
    }

    @Test("a cancelled send stops sending")
    func cancelSend() async throws {
        try await Bed.with { bed in
            let sending = Task {
                await failure { try await bed.port.send([UInt8](repeating: 0xAA, count: 1 << 20), until: soon) }
            }
            // The send is under way, and too long to end.
            #expect(try await bed.far.receive(exactly: 1, until: soon) == [0xAA])
            sending.cancel()
            let error = await sending.value
            #expect(error?.code == .cancelled)
            let text = try #require(error?.underlying)
            try await expectExactly(Int(text.prefix { $0 != " " }), beside: 1, on: bed.far)
        }
    }

    @Test("a port whose read-ahead was full goes on as soon as it is emptied, whatever else waits")
    func emptied() async throws {
        try await Bed.with { bed in
            // The loop has a reason to look again only when this wait is over.
            let other = try bed.context.makeTerminal()
            let limit = after(20_000)
            let waiting = Task { await failure { try await other.receive(atMost: 1, until: limit) } }
            let bytes = [UInt8](repeating: 3, count: 1 << 18)
            let sending = Task { await failure { try await bed.port.send(bytes, until: soon) } }
            _ = try await bed.far.receive(exactly: 1, until: soon)
            await SystemMonotonicClock.shared.sleep(until: after(300).instant)
            _ = try await bed.far.receive(exactly: (1 << 18) - 1, until: soon)
            #expect(await sending.value == nil)
            #expect(!limit.hasPassed(on: SystemMonotonicClock.shared))
            waiting.cancel()
            #expect(await waiting.value?.code == .cancelled)
        }
    }

    /// What was told as sent arrives, and not a byte more.
    private func expectExactly(_ sent: Int?, beside received: Int = 0, on line: any Transport) async throws {
        let sent = try #require(sent)
        #expect(sent > 0 && sent < 1 << 20)
        _ = try await line.receive(exactly: sent - received, until: soon)
        #expect(await failure { try await line.receive(atMost: 1, until: after(100)) }?.code == .timedOut)
    }

    @Test("1 MiB each way at once, in parts of any size, arrives without a loss", arguments: [1, 2] as [UInt64])
    func million(seed: UInt64) async throws {
        try await Bed.with { bed in
            var random = SeededNumbers(seed: seed)
            let (there, back) = (random.bytes(1 << 20), random.bytes(1 << 20))
            let seeds = (0..<4).map { _ in random.next() }
            async let sentThere: Void = send(there, on: bed.port, seed: seeds[0])
            async let sentBack: Void = send(back, on: bed.far, seed: seeds[1])
            async let arrivedThere = receive(there.count, on: bed.far, seed: seeds[2])
            async let arrivedBack = receive(back.count, on: bed.port, seed: seeds[3])
            #expect(try await arrivedThere == there)
            #expect(try await arrivedBack == back)
            _ = try await (sentThere, sentBack)
        }
    }

    private func send(_ bytes: [UInt8], on line: any Transport, seed: UInt64) async throws {
        var random = SeededNumbers(seed: seed)
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = rest.prefix(Int.random(in: 1...9000, using: &random))
            try await line.send(Array(part), until: soon)
            rest = rest.dropFirst(part.count)
        }
    }

    private func receive(_ count: Int, on line: any Transport, seed: UInt64) async throws -> [UInt8] {
        var random = SeededNumbers(seed: seed)
        var bytes: [UInt8] = []
        while bytes.count < count {
            bytes += try await line.receive(atMost: Int.random(in: 1...9000, using: &random), until: soon)
        }
        return bytes
    }
}

extension SeededNumbers {
    fileprivate mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: next() >> 32) }
    }
}
