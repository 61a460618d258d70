import FirmwareCores
import InProcessMock
import SeededInput
import Testing
import Transport
import USBSerial

@Suite("A port of each chip as a byte pipe", .timeLimit(.minutes(3)))
struct PipeTests {
    @Test("messages of every length around the packets' borders arrive whole", arguments: Bench.allCases)
    func borders(bench: Bench) async throws {
        try await ChipBed.with(bench) { bed in
            for count in [1, 30, 31, 32, 33, 61, 62, 63, 64, 65, 124, 127, 128, 510, 511, 512, 513, 1020, 1024, 4096] {
                try await bed.echo((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ count) })
            }
        }
    }

    /// In rounds of 32 KiB, since an echo without flow control must not get further ahead than its host reads.
    @Test("1 MiB each way, in parts of any size, arrives byte for byte", .serialized, arguments: Bench.allCases)
    func million(bench: Bench) async throws {
        try await ChipBed.with(bench, settings(921_600)) { bed in
            var random = SeededNumbers(seed: 7)
            let port = bed.port
            for _ in 0..<32 {
                let bytes = (0..<(1 << 15)).map { _ in UInt8(truncatingIfNeeded: random.next() >> 32) }
                let seeds = (random.next(), random.next())
                async let sent: Void = Self.send(bytes, on: port, seed: seeds.0)
                let back = try await Self.receive(bytes.count, on: port, seed: seeds.1)
                try await sent
                try #require(back == bytes)
            }
        }
    }

    private static func send(_ bytes: [UInt8], on line: any Transport, seed: UInt64) async throws {
        var random = SeededNumbers(seed: seed)
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = rest.prefix(Int.random(in: 1...9000, using: &random))
            try await line.send(Array(part), until: soon)
            rest = rest.dropFirst(part.count)
        }
    }

    private static func receive(_ count: Int, on line: any Transport, seed: UInt64) async throws -> [UInt8] {
        var random = SeededNumbers(seed: seed)
        var bytes: [UInt8] = []
        while bytes.count < count {
            bytes += try await line.receive(atMost: Int.random(in: 1...9000, using: &random), until: soon)
        }
        return bytes
    }

    @Test("signs of life without bytes end nothing", arguments: [Bench.ft232r, .ft2232h])
    func idle(bench: Bench) async throws {
        try await ChipBed.with(bench) { bed async throws in
            bed.steer("idle 50")
            #expect(await failure { try await bed.port.receive(atMost: 1, until: after(50)) }?.code == .timedOut)
            bed.steer("line 56694F")
            #expect(try await bed.port.receive(exactly: 3, until: soon) == [0x56, 0x69, 0x4F])
        }
    }

    @Test("an FTDI packet without its status ends the port, after what came before", arguments: [Bench.ft232r])
    func torn(bench: Bench) async throws {
        try await ChipBed.with(bench) { bed async throws in
            bed.steer("line 0102")
            bed.steer("torn")
            #expect(try await bed.port.receive(exactly: 2, until: soon) == [1, 2])
            let error = await failure { try await bed.port.receive(atMost: 1, until: soon) }
            #expect(error?.code == .failed)
            #expect(error?.underlying == "the FTDI chip sent a packet without its status")
        }
    }

    @Test("bytes that nobody waits for are kept for the next receive", arguments: Bench.allCases)
    func readAhead(bench: Bench) async throws {
        try await ChipBed.with(bench) { bed in
            bed.steer("line 010203040506")
            #expect(try await bed.port.receive(exactly: 2, until: soon) == [1, 2])
            let waiting = Task { await failure { try await bed.port.receive(exactly: 9, until: soon) } }
            while bed.device.transfers(.in) == 0 { await Task.yield() }
            waiting.cancel()
            let partial = try #require(await waiting.value).partial
            bed.steer("line 07")
            let rest = try await bed.port.receive(exactly: 5 - partial.count, until: soon)
            #expect(partial + rest == [3, 4, 5, 6, 7])
        }
    }

    @Test(
        "a reader that is not read from is held back after 64 KiB, and loses nothing", arguments: [Bench.cdc, .ft232r])
    func bounded(bench: Bench) async throws {
        try await ChipBed.with(bench) { bed in
            let bytes = (0..<150_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
            try await bed.port.send(bytes, until: soon)
            #expect(try await bed.port.receive(exactly: bytes.count, until: soon) == bytes)
        }
    }

    @Test("a deadline ends a receive; a cancelled call does nothing; a passed deadline sends nothing")
    func waits() async throws {
        try await ChipBed.with(.pl2303) { bed in
            #expect(await failure { try await bed.port.receive(atMost: 1, until: after(20)) }?.code == .timedOut)
            #expect(await failure { try await bed.port.receive(atMost: 1, until: after(0)) }?.code == .timedOut)
            #expect(await failure { try await bed.port.send([1], until: after(0)) }?.code == .timedOut)
            let late = Task {
                while !Task.isCancelled { await Task.yield() }
                return await failure { try await bed.port.send([2], until: soon) }?.code
            }
            late.cancel()
            #expect(await late.value == .cancelled)
            let waiting = Task { await failure { try await bed.port.receive(atMost: 1, until: soon) }?.code }
            waiting.cancel()
            #expect(await waiting.value == .cancelled)
            try await bed.echo([3])
        }
    }

    @Test("what a serial line does not have is unsupported, as with a tty")
    func unsupported() async throws {
        try await ChipBed.with(.ft232r) { bed in
            #expect(bed.port.traits == TransportTraits(packetSize: 1, hasEvents: false, hasControl: false))
            #expect(await failure { try await bed.port.receiveEvent(until: soon) }?.code == .unsupported)
            let request = ControlRequest(requestType: 0xC0, request: 5, value: 0, index: 1, expectedLength: 2)
            #expect(await failure { try await bed.port.control(request, until: soon) }?.code == .unsupported)
            try await bed.port.clearStall(.receive, until: soon)
        }
    }
}
