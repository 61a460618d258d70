import FirmwareCores
import InProcessMock
import Testing
import Transport
import USBSerial

@Suite("A port of each chip as a serial line", .timeLimit(.minutes(2)))
struct LineTests {
    @Test("opens with the settings, DTR and RTS up, and passes bytes; closing lowers them", arguments: Bench.allCases)
    func opens(bench: Bench) async throws {
        try await ChipBed.with(bench, settings(9600, .eight, .even)) { bed in
            #expect(bed.line.isOpen && bed.line.isDTR && bed.line.isRTS && !bed.line.isBreak)
            #expect(bed.line.format == "8E1")
            try await bed.echo([0x02, 0x00, 0xFF, 0x03])
            await bed.port.close()
            #expect(!bed.line.isDTR && !bed.line.isRTS)
            await bed.port.close()
            #expect(await failure { try await bed.port.send([1], until: soon) }?.code == .closed)
            #expect(await failure { try await bed.port.receive(atMost: 1, until: soon) }?.code == .closed)
            #expect(await failure { try await bed.port.settings(until: soon) }?.code == .closed)
        }
    }

    @Test("a close that does not hang up leaves the lines as they are", arguments: Bench.allCases)
    func quiet(bench: Bench) async throws {
        let device = ChipBed.device(bench)
        let port = try await ChipBed.open(device, hangsUpOnClose: false)
        await port.close()
        #expect(ChipBed.line(of: device).isDTR && ChipBed.line(of: device).isRTS)
        // It opens again, and works.
        let second = try await ChipBed.open(device)
        try await ChipBed(device: device, port: second).echo([1, 2, 3])
        await second.close()
    }

    @Test(
        "makes each usual speed within 3 %, and says which it makes", arguments: Bench.allCases,
        [9600, 19_200, 38_400, 57_600, 115_200, 230_400, 460_800, 921_600] as [UInt32])
    func speeds(bench: Bench, speed: UInt32) async throws {
        try await ChipBed.with(bench, settings(1200)) { bed in
            let kept = try await bed.port.configure(settings(speed), until: soon)
            let made = bed.line.baud
            #expect(abs(made - Int(speed)) * 100 <= Int(speed) * 3, "\(made)")
            #expect(Int(kept.baud.bitsPerSecond) == made)
            #expect(try await bed.port.settings(until: soon) == kept)
        }
    }

    @Test("sets parity, data bits and stop bits, and says so", arguments: Bench.allCases)
    func formats(bench: Bench) async throws {
        try await ChipBed.with(bench) { bed in
            let formats: [(SerialSettings, String)] = [
                (settings(9600, .eight, .odd), "8O1"), (settings(9600, .seven, .even, .two), "7E2"),
                (settings(9600, .eight, .mark), "8M1"), (settings(9600, .eight, .space), "8S1"),
                (settings(9600), "8N1"),
            ]
            for (asked, format) in formats {
                let kept = try await bed.port.configure(asked, until: soon)
                #expect(bed.line.format == format)
                #expect(kept.dataBits == asked.dataBits && kept.parity == asked.parity)
                #expect(kept.stopBits == asked.stopBits)
                #expect(try await bed.port.settings(until: soon) == kept)
            }
        }
    }

    @Test("flow control, where the chip has it; else the refusal changes nothing", arguments: Bench.allCases)
    func flow(bench: Bench) async throws {
        try await ChipBed.with(bench) { bed in
            for flow in [SerialSettings.FlowControl.rtscts, .xonxoff, .none] {
                let asked = settings(9600, flow: flow)
                if bench.hasFlowControl || flow == .none {
                    let kept = try await bed.port.configure(asked, until: soon)
                    #expect(kept.flow == flow)
                    #expect(bed.line.flow.rawValue == flow.rawValue)
                } else {
                    let before = bed.line
                    let error = await failure { try await bed.port.configure(asked, until: soon) }
                    #expect(error?.code == .unsupported)
                    #expect(error?.underlying?.contains("flow control") == true)
                    #expect(bed.line == before)
                }
            }
        }
    }

    @Test("raises, lowers and turns over DTR and RTS, each alone", arguments: Bench.allCases)
    func outputs(bench: Bench) async throws {
        try await ChipBed.with(bench) { bed in
            try await bed.port.set(raised: [], lowered: .dtr, until: soon)
            #expect(!bed.line.isDTR && bed.line.isRTS)
            try await bed.port.set(raised: .dtr, lowered: [.dtr, .rts], until: soon)
            #expect(bed.line.isDTR && !bed.line.isRTS)
            try await bed.port.toggle([.dtr, .rts], until: soon)
            #expect(!bed.line.isDTR && bed.line.isRTS)
            #expect(try await bed.port.modemLines(until: soon).outputs == .rts)
            // A change of settings leaves them.
            try await bed.port.configure(settings(9600), until: soon)
            #expect(!bed.line.isDTR && bed.line.isRTS)
        }
    }

    @Test("sees the inputs, asked for or told", arguments: Bench.allCases)
    func inputs(bench: Bench) async throws {
        try await ChipBed.with(bench) { bed in
            let cases: [(String, ModemInputs)] = [
                ("dsr", .dsr), ("dcd ri", [.dcd, .ri]), ("cts", bench == .cdc ? [] : .cts), ("", []),
            ]
            for (words, inputs) in cases {
                bed.steer("inputs \(words)")
                // A notification takes its time.
                let limit = soon
                var seen = try await bed.port.modemLines(until: soon).inputs
                while seen != inputs, !limit.hasPassed(on: SystemMonotonicClock.shared) {
                    await Task.yield()
                    seen = try await bed.port.modemLines(until: soon).inputs
                }
                #expect(seen == inputs, "\(words)")
            }
        }
    }

    @Test("holds a break and ends it", arguments: Bench.allCases)
    func breaks(bench: Bench) async throws {
        try await ChipBed.with(bench, settings(9600, .seven, .even)) { bed in
            try await bed.port.setBreak(true, until: soon)
            #expect(bed.line.isBreak)
            try await bed.port.setBreak(false, until: soon)
            #expect(!bed.line.isBreak)
            #expect(bed.line.format == "7E1")
            try await bed.port.sendBreak(for: .milliseconds(1), on: SystemMonotonicClock.shared, until: soon)
            #expect(!bed.line.isBreak)
        }
    }

    @Test("a purge empties what has arrived, and the chip's buffers where it can", arguments: Bench.allCases)
    func purge(bench: Bench) async throws {
        try await ChipBed.with(bench) { bed in
            try await bed.port.send([1, 2, 3], until: soon)
            // The first byte shows that the others are here, too: they came in one packet.
            #expect(try await bed.port.receive(exactly: 1, until: soon) == [1])
            try await bed.port.purge([.input, .output], until: soon)
            #expect(await failure { try await bed.port.receive(atMost: 9, until: after(50)) }?.code == .timedOut)
            let purges = bench == .cdc || bench == .ch340 ? 0 : 1
            #expect(bed.line.inputPurges == purges && bed.line.outputPurges == purges)
        }
    }

    @Test("drains at once when nothing is left, and ends at its deadline", arguments: Bench.allCases)
    func drain(bench: Bench) async throws {
        try await ChipBed.with(bench) { bed in
            #expect(await bed.drainFailure(until: soon) == nil)
            try await bed.echo([1, 2, 3])
            #expect(await bed.drainFailure(until: soon) == nil)
            #expect(await bed.drainFailure(until: after(0)) == .timedOut)
        }
    }

    @Test("a chip that is not asked is given the time that the bytes take, until the deadline")
    func drainTime() async throws {
        try await ChipBed.with(.ch340, settings(1200)) { bed in
            let start = SystemMonotonicClock.shared.now()
            // 24 characters of ten bits at 1200 baud.
            try await bed.port.send([UInt8](repeating: 0x55, count: 24), until: soon)
            try await bed.port.drain(until: soon)
            #expect(start.duration(to: SystemMonotonicClock.shared.now()) >= .milliseconds(190))
            // More than the largest buffer, which takes eight seconds to empty.
            try await bed.port.send([UInt8](repeating: 0x55, count: 10_000), until: soon)
            #expect(await failure { try await bed.port.drain(until: after(10)) }?.code == .timedOut)
        }
    }

    @Test("settings that are in force are not sent again", arguments: Bench.allCases)
    func unchanged(bench: Bench) async throws {
        try await ChipBed.with(bench) { bed in
            func lineRequests() -> Int {
                bed.device.withCore { core in
                    ((core as? USBSerialCore)?.requests ?? []).count { $0.setup.requestType & 0x80 == 0 }
                }
            }
            let before = lineRequests()
            try await bed.port.configure(settings(115_200), until: soon)
            #expect(lineRequests() == before)
            try await bed.port.configure(settings(9600), until: soon)
            #expect(lineRequests() > before)
        }
    }

    @Test("what a chip refuses is told in a sentence, and the connection is closed")
    func refusals() async throws {
        let device = ChipBed.device(.ft232r)
        let error = await failure { try await ChipBed.open(device, settings(1_700_000)) }
        #expect(error?.code == .unsupported)
        #expect(
            error?.underlying
                == "FTDI FT232R cannot make 1700000 baud: the nearest it has is 1500000, more than 3 % off")
        // The chip itself knows best: a CP2102 has no 2 Mbaud, which others of its family have.
        try await ChipBed.with(.cp2102) { bed in
            let error = await failure { try await bed.port.configure(settings(2_000_000), until: soon) }
            #expect(error?.code == .unsupported)
            #expect(error?.underlying == "the Silicon Labs CP2102 refuses 2000000 8N1")
            try await bed.echo([5])
        }
    }

    @Test("after a change that has failed half-way, the former settings can be set again", arguments: Bench.allCases)
    func halfChanged(bench: Bench) async throws {
        try await ChipBed.with(bench, settings(9600)) { bed in
            let before = bed.line
            bed.steer("stall \(bench == .cdc ? 1 : 2)")
            let error = await failure { try await bed.port.configure(settings(19_200, .seven, .even), until: soon) }
            #expect(error?.code == .unsupported)
            let kept = try await bed.port.configure(settings(9600), until: soon)
            #expect(bed.line == before)
            #expect(Int(kept.baud.bitsPerSecond) == before.baud)
        }
    }
}
