import Testing
import Transport
import USBSerial

@Suite("Data bits, parity and stop bits on every chip")
struct FormatTests {
    /// The request that carries the format, of those that set a line.
    private func format(_ chip: any SerialChip, _ settings: SerialSettings, _ prefix: String) throws -> String? {
        text(try chip.configuring(settings, outputs: [])).first { $0.hasPrefix(prefix) }
    }

    @Test("FTDI: bits, parity in bits 8 to 10, two stop bits 1000")
    func ftdi() throws {
        let chip = FTDIChip(.ft232R)
        #expect(try format(chip, settings(9600, .seven, .odd), "40 04") == "40 04 0107 0001")
        #expect(try format(chip, settings(9600, .eight, .even, .two), "40 04") == "40 04 1208 0001")
        #expect(try format(chip, settings(9600, .eight, .mark), "40 04") == "40 04 0308 0001")
        #expect(try format(chip, settings(9600, .eight, .space), "40 04") == "40 04 0408 0001")
        #expect(throws: SerialChipRefusal("FTDI FT232R cannot do 5 data bits: it has 7 and 8")) {
            try chip.kept(settings(9600, .five))
        }
    }

    @Test("CP210x: bits in the high byte, parity 10 to 40, two stop bits 2")
    func cp210x() throws {
        let chip = CP210xChip(.cp2102)
        #expect(try format(chip, settings(9600, .five, .odd), "41 03") == "41 03 0510 0000")
        #expect(try format(chip, settings(9600, .seven, .even, .two), "41 03") == "41 03 0722 0000")
        #expect(try format(chip, settings(9600, .eight, .mark), "41 03") == "41 03 0830 0000")
        #expect(try format(chip, settings(9600, .eight, .space), "41 03") == "41 03 0840 0000")
    }

    @Test("the second port of a CP2105 refuses what it would drop without a word")
    func cp2105() throws {
        let (first, second) = (CP210xChip(.cp2105), CP210xChip(.cp2105, port: 1))
        let few = [
            settings(9600, .six), settings(9600, .eight, .none, .two), settings(9600, .eight, .mark),
            settings(9600, .eight, .space),
        ]
        for settings in few {
            #expect(throws: Never.self) { try first.kept(settings) }
            #expect(throws: SerialChipRefusal.self) { try second.kept(settings) }
        }
        #expect(throws: Never.self) { try second.kept(settings(9600, .seven, .even)) }
    }

    @Test("CH34x: C0 and data bits, 04 two stop bits, 08 parity, 10 even, 20 mark and space")
    func ch34x() throws {
        let chip = CH34xChip()
        #expect(try format(chip, settings(9600, .five), "40 9A 2518") == "40 9A 2518 00C0")
        #expect(try format(chip, settings(9600, .six, .odd), "40 9A 2518") == "40 9A 2518 00C9")
        #expect(try format(chip, settings(9600, .seven, .even, .two), "40 9A 2518") == "40 9A 2518 00DE")
        #expect(try format(chip, settings(9600, .eight, .mark), "40 9A 2518") == "40 9A 2518 00EB")
        #expect(try format(chip, settings(9600, .eight, .space), "40 9A 2518") == "40 9A 2518 00FB")
        #expect(throws: SerialChipRefusal("WCH CH34x cannot do flow control")) {
            try chip.kept(settings(9600, flow: .rtscts))
        }
    }

    @Test("line coding: stop bits 0 and 2, parity 0 to 4, data bits; and back")
    func lineCoding() {
        #expect(LineCoding.bytes(settings(9600, .seven, .odd)) == [0x80, 0x25, 0, 0, 0, 1, 7])
        #expect(LineCoding.bytes(settings(9600, .five, .space, .two)) == [0x80, 0x25, 0, 0, 2, 4, 5])
        for parity in SerialSettings.Parity.allCases {
            for stop in SerialSettings.StopBits.allCases {
                let one = settings(4_000_000_000, .six, parity, stop)
                #expect(LineCoding.settings(in: LineCoding.bytes(one)) == one)
            }
        }
        let nonsense: [[UInt8]] = [
            [], [0x80, 0x25, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 8], [0x80, 0x25, 0, 0, 1, 0, 8],
            [0x80, 0x25, 0, 0, 0, 5, 8],
            [0x80, 0x25, 0, 0, 0, 0, 16], [0x80, 0x25, 0, 0, 0, 0, 8, 0],
        ]
        for bytes in nonsense { #expect(LineCoding.settings(in: bytes) == nil) }
    }

    @Test("the class has no flow control")
    func cdcFlow() {
        #expect(throws: SerialChipRefusal.self) {
            try CDCACMChip(controlInterface: 0).kept(settings(9600, flow: .rtscts))
        }
    }
}
