import Glibc
import Testing
import Transport

@testable import Serial

@Suite("Line settings, modem lines and break", .timeLimit(.minutes(2)))
struct LineTests {
    @Test("settings read as people write them")
    func text() {
        #expect(SerialSettings(baud: .b115200).description == "115200 8N1")
        let other = SerialSettings(baud: .b9600, dataBits: .seven, parity: .even, stopBits: .two, flow: .rtscts)
        #expect(other.description == "9600 7E2 rtscts")
        #expect(BaudRate(0) == nil)
        // 1 start, 7 data, 1 parity, 2 stop bits at 9600 bit/s.
        #expect(other.duration(ofCharacters: 96) == .milliseconds(110))
    }

    @Test("every setting is put into the kernel's structure and read back from it")
    func everySetting() async throws {
        try await Bed.with { bed in
            let descriptor = open(bed.far.node, O_RDWR | O_NOCTTY | O_CLOEXEC)
            defer { close(descriptor) }
            var attributes = try TerminalAttributes(of: descriptor)
            attributes.makeRaw()
            for dataBits in SerialSettings.DataBits.allCases {
                for parity in SerialSettings.Parity.allCases {
                    for stopBits in SerialSettings.StopBits.allCases {
                        for flow in [SerialSettings.FlowControl.rtscts, .xonxoff, .none] {
                            let settings = SerialSettings(
                                baud: .b57600, dataBits: dataBits, parity: parity, stopBits: stopBits, flow: flow)
                            attributes.set(settings, hangsUp: false)
                            #expect(attributes.settings == settings)
                        }
                    }
                }
            }
        }
    }

    // asm-generic/termbits.h: B9600 0000015, B115200 0010002, CS8 0000060, CREAD 0000200, CLOCAL 0004000, HUPCL 0002000,
    // CS7 0000040, PARENB 0000400, PARODD 0001000, CSTOPB 0000100, CMSPAR 010000000000, CRTSCTS 020000000000,
    // BOTHER 0010000.
    @Test("the flags are those of the kernel's header")
    func flags() async throws {
        try await Bed.with { bed in
            let descriptor = open(bed.far.node, O_RDWR | O_NOCTTY | O_CLOEXEC)
            defer { close(descriptor) }
            var attributes = try TerminalAttributes(of: descriptor)
            attributes.makeRaw()
            attributes.set(SerialSettings(baud: .b9600), hangsUp: false)
            #expect(attributes.controlFlags == 0o4275)
            #expect(attributes.inputFlags == 0o1)
            #expect(attributes.outputFlags == 0)
            #expect(attributes.localFlags == 0)
            #expect(attributes.character(VMIN) == 0)
            #expect(attributes.character(VTIME) == 0)
            attributes.set(
                SerialSettings(baud: .b115200, dataBits: .seven, parity: .mark, stopBits: .two, flow: .rtscts),
                hangsUp: true)
            let (format, others): (UInt32, UInt32) = (0o40 | 0o1400 | 0o100, 0o4000 | 0o2000 | 0o200 | 0o10002)
            #expect(attributes.controlFlags == format | others | 0o30000000000)
            let odd = try #require(BaudRate(12_345))
            attributes.set(SerialSettings(baud: odd, flow: .xonxoff), hangsUp: false)
            #expect(attributes.controlFlags == 0o14260)
            #expect(attributes.outputSpeed == 12_345)
            #expect(attributes.inputFlags == 0o12001)
            #expect(attributes.character(VSTART) == 0x11)
            #expect(attributes.character(VSTOP) == 0x13)
        }
    }

    @Test("the usual speeds have the kernel's codes")
    func codes() throws {
        for (speed, code) in [
            (50, 0o1), (110, 0o3), (300, 0o7), (1200, 0o11), (9600, 0o15), (19_200, 0o16), (38_400, 0o17),
            (57_600, 0o10001), (115_200, 0o10002), (230_400, 0o10003), (460_800, 0o10004), (921_600, 0o10007),
            (1_000_000, 0o10010), (4_000_000, 0o10017), (250_000, 0o10000), (12_345, 0o10000),
        ] as [(UInt32, UInt32)] {
            #expect(BaudCode.code(of: try #require(BaudRate(speed))) == code)
        }
    }

    @Test("settings that the driver does not keep are told, and the port works")
    func notKept() async throws {
        // A pseudo terminal knows no parity and always has eight bits.
        let asked = SerialSettings(baud: .b9600, dataBits: .seven, parity: .even)
        try await Bed.with(asked) { bed in
            let kept = SerialSettings(baud: .b9600)
            #expect(bed.port.notes == [.settingsDiffer(asked: asked, kept: kept)])
            let again = try await bed.port.configure(asked, until: soon)
            let read = try await bed.port.settings(until: soon)
            #expect(again == kept)
            #expect(read == kept)
        }
        try await Bed.with { bed in #expect(bed.port.notes == []) }
    }

    @Test("a tty without modem lines says so, and goes on")
    func noModemLines() async throws {
        try await Bed.with { bed in
            #expect(await failure { try await bed.port.modemLines(until: soon) }?.code == .unsupported)
            let setting = await failure { try await bed.port.set(raised: .dtr, lowered: .rts, until: soon) }
            #expect(setting?.code == .unsupported)
            #expect(setting?.underlying == "ENOTTY")
            try await bed.port.send([1], until: soon)
            #expect(try await bed.far.receive(atMost: 1, until: soon) == [1])
        }
    }

    @Test("the kernel's bits are the modem lines")
    func modemBits() {
        // asm-generic/termios.h: DTR 002, RTS 004, CTS 040, CAR 100, RNG 200, DSR 400 (hexadecimal, DTR to CAR 0x40).
        #expect(
            ModemLines(kernelBits: 0x002 | 0x020 | 0x080)
                == ModemLines(outputs: .dtr, inputs: [.cts, .ri]))
        #expect(ModemLines(kernelBits: 0x004 | 0x040 | 0x100) == ModemLines(outputs: .rts, inputs: [.dcd, .dsr]))
        #expect(ModemOutputs([.dtr, .rts]).kernelBits == 0x006)
    }

    @Test("a purge throws away what has come")
    func purge() async throws {
        try await Bed.with { bed in
            try await bed.far.send([1, 2, 3], until: soon)
            #expect(try await bed.port.receive(atMost: 1, until: soon) == [1])
            try await bed.port.purge(.input, until: soon)
            try await bed.far.send([4], until: soon)
            #expect(try await bed.port.receive(atMost: 10, until: soon) == [4])
            try await bed.port.purge([.input, .output], until: soon)
        }
    }

    @Test("a drain returns when nothing is left, and a break ends")
    func drainAndBreak() async throws {
        try await Bed.with { bed in
            try await bed.port.send([1, 2], until: soon)
            try await bed.port.drain(until: soon)
            try await bed.port.sendBreak(for: .milliseconds(5), on: SystemMonotonicClock.shared, until: soon)
            #expect(try await bed.far.receive(exactly: 2, until: soon) == [1, 2])
        }
    }

    @Test("what was there before the open is thrown away, or kept when that is asked for", arguments: [true, false])
    func inputBeforeOpen(discards: Bool) async throws {
        let context = SerialContext()
        let far = try context.makeTerminal()
        let other = open(far.node, O_RDWR | O_NOCTTY | O_CLOEXEC)
        defer { close(other) }
        try await far.send([1, 2], until: soon)
        let port = try await context.open(
            far.node, SerialSettings(baud: .b9600), options: SerialOpenOptions(discardsInput: discards), until: soon)
        try await far.send([3], until: soon)
        #expect(try await port.receive(exactly: discards ? 1 : 3, until: soon) == (discards ? [3] : [1, 2, 3]))
        await context.shutdown()
    }
}
