import FirmwareCores
import InProcessMock
import Testing
import Transport
import USBSerial

@Suite("A port of each chip in trouble", .timeLimit(.minutes(2)))
struct TroubleTests {
    @Test("a stall of the input is cleared, and the line goes on", arguments: Bench.allCases)
    func stalledInput(bench: Bench) async throws {
        try await ChipBed.with(bench) { bed in
            for round in UInt8(1)...5 {
                bed.steer("halt in")
                try await bed.echo([round, 0x55, 0xAA])
            }
        }
    }

    @Test(
        "a stall of the output is told, the bytes are not sent twice, and the line works again",
        arguments: Bench.allCases)
    func stalledOutput(bench: Bench) async throws {
        try await ChipBed.with(bench) { bed in
            bed.steer("halt out")
            let error = await failure { try await bed.port.send([1, 2, 3], until: soon) }
            #expect(error?.code == .stalled)
            #expect(error?.underlying == "at least 0 of 3 bytes were sent")
            try await bed.echo([4])
        }
    }

    @Test("a request that stalls during the open ends it, and a new open works", arguments: Bench.allCases)
    func stalledOpen(bench: Bench) async throws {
        let device = ChipBed.device(bench)
        var number = 0
        while true {
            number += 1
            try #require(number < 40)
            #expect(device.steer("stall \(number)") == nil)
            do {
                let port = try await ChipBed.open(device)
                await port.close()
                break
            } catch let error as TransportError {
                #expect(error.code == .stalled && error.operation == "open")
            }
        }
        // Every request of the open was refused once; one that only asks may be.
        #expect(number > 2)
        #expect(device.steer("stall 40") == nil)
        let port = try await ChipBed.open(device)
        try await ChipBed(device: device, port: port).echo([9])
        await port.close()
    }

    @Test("unplugged during a receive: what had come is received, then the device is gone", arguments: Bench.allCases)
    func unplugged(bench: Bench) async throws {
        try await ChipBed.with(bench) { bed in
            try await bed.echo([0])
            bed.steer("line 0102")
            #expect(try await bed.port.receive(exactly: 1, until: soon) == [1])
            let waiting = Task { await failure { try await bed.port.receive(exactly: 5, until: soon) } }
            bed.steer("unplug")
            let error = await waiting.value
            #expect(error?.code == .gone)
            #expect(error?.partial == [2])
            #expect(await failure { try await bed.port.send([1], until: soon) }?.code == .gone)
            #expect(await failure { try await bed.port.receive(atMost: 1, until: soon) }?.code == .gone)
            #expect(await failure { try await bed.port.modemLines(until: soon) }?.code == .gone)
            #expect(await failure { try await bed.port.configure(settings(9600), until: soon) }?.code == .gone)
            await bed.port.close()
            #expect(await failure { try await bed.port.receive(atMost: 1, until: soon) }?.code == .closed)
            // Back again, it is a fresh chip.
            bed.steer("plug")
            let second = try await ChipBed.open(bed.device)
            try await ChipBed(device: bed.device, port: second).echo([7, 7])
            await second.close()
        }
    }

    @Test("unplugged at each request of the open: gone, and nothing hangs", arguments: Bench.allCases)
    func unpluggedInOpen(bench: Bench) async throws {
        for number in 1...3 {
            let device = ChipBed.device(bench)
            device.onTransfer { note in
                note.kind == .control && note.moment == .submitted && note.number == number ? .steer("unplug") : .pass
            }
            #expect(await failure { try await ChipBed.open(device) }?.code == .gone)
        }
    }

    @Test("a close ends a receive that waits, and a second close waits for the first", arguments: Bench.allCases)
    func closed(bench: Bench) async throws {
        try await ChipBed.with(bench) { bed in
            let waiting = Task { await failure { try await bed.port.receive(atMost: 1, until: soon) }?.code }
            async let first: Void = bed.port.close()
            async let second: Void = bed.port.close()
            _ = await (first, second)
            #expect(await waiting.value == .closed)
            #expect(!bed.line.isDTR)
        }
    }

    @Test("a close lets the bytes go out first", arguments: [Bench.ch340, .pl2303])
    func lingers(bench: Bench) async throws {
        try await ChipBed.with(bench, settings(300)) { bed in
            // Three seconds of characters, of which a close waits for half a second.
            try await bed.port.send([UInt8](repeating: 0x55, count: 100), until: soon)
            let start = SystemMonotonicClock.shared.now()
            await bed.port.close()
            #expect(start.duration(to: SystemMonotonicClock.shared.now()) >= .milliseconds(490))
        }
    }

    @Test("a close in a cancelled task still lowers the lines")
    func closedWhenCancelled() async throws {
        try await ChipBed.with(.cp2102) { bed in
            let closing = Task {
                while !Task.isCancelled { await Task.yield() }
                await bed.port.close()
            }
            closing.cancel()
            await closing.value
            #expect(!bed.line.isDTR && !bed.line.isRTS && !bed.line.isOpen)
        }
    }

    @Test("an answer of a wrong length is an error, not a guess")
    func shortAnswer() async throws {
        try await ChipBed.with(.ch340) { bed in
            bed.device.onTransfer { $0.kind == .control && $0.moment == .done ? .replace([0xFF]) : .pass }
            let error = await failure { try await bed.port.modemLines(until: soon) }
            #expect(error?.code == .failed)
            #expect(error?.underlying == "the WCH CH34x gave an answer of a wrong length")
            // Without its registers no break could begin, and nobody would know.
            #expect(await failure { try await bed.port.setBreak(true, until: soon) }?.code == .failed)
            bed.device.onTransfer(nil)
        }
    }
}
