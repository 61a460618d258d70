import Testing
import Transport
import USBSerial

/// The table of usual speeds at 8N1: FTDI value and index, the CH34x registers, the CP210x data, the CDC line coding.
@Suite("Usual speeds on every chip")
struct BaudTableTests {
    static let table: [(speed: UInt32, ftdi: String, ch34x: [String], cp210x: String, cdc: String)] = [
        (9600, "4138 0000", ["B282", "000C"], "80250000", "80250000000008"),
        (19_200, "809C 0000", ["D982", "0006"], "004B0000", "004B0000000008"),
        (38_400, "C04E 0000", ["6483", "0018"], "00960000", "00960000000008"),
        (57_600, "C034 0000", ["9883", "0010"], "00E10000", "00E10000000008"),
        (115_200, "001A 0000", ["CC83", "0008"], "00C20100", "00C20100000008"),
    ]

    @Test("FTDI", arguments: table.indices)
    func ftdi(index: Int) throws {
        let row = Self.table[index]
        let requests = text(try FTDIChip(.ft232R).configuring(settings(row.speed), outputs: []))
        #expect(requests == ["40 02 0000 0001", "40 03 \(row.ftdi)", "40 04 0008 0001"])
    }

    @Test("CH34x", arguments: table.indices)
    func ch34x(index: Int) throws {
        let row = Self.table[index]
        let requests = text(try CH34xChip().configuring(settings(row.speed), outputs: []))
        #expect(requests == ["40 9A 1312 \(row.ch34x[0])", "40 9A 0F2C \(row.ch34x[1])", "40 9A 2518 00C3"])
    }

    @Test("CP210x", arguments: table.indices)
    func cp210x(index: Int) throws {
        let row = Self.table[index]
        let requests = text(try CP210xChip(.cp2102).configuring(settings(row.speed), outputs: []))
        #expect(
            requests == [
                "41 1E 0000 0000 \(row.cp210x)", "41 03 0800 0000",
                "41 13 0000 0000 00000000000000000000000000000000",
            ])
    }

    @Test("CDC-ACM, and PL2303 with the same bytes", arguments: table.indices)
    func lineCoding(index: Int) throws {
        let row = Self.table[index]
        let acm = text(try CDCACMChip(controlInterface: 3).configuring(settings(row.speed), outputs: []))
        #expect(acm == ["21 20 0000 0003 \(row.cdc)"])
        let classic = text(try PL2303Chip(.classic).configuring(settings(row.speed), outputs: []))
        #expect(classic == ["21 20 0000 0000 \(row.cdc)", "40 01 0000 0000"])
        let hxn = text(try PL2303Chip(.hxn).configuring(settings(row.speed), outputs: []))
        #expect(hxn == ["21 20 0000 0000 \(row.cdc)", "40 80 000A 00FF"])
    }

    @Test("the CH34x has a divisor of its own for 921600 baud")
    func ch34xFast() throws {
        let requests = text(try CH34xChip().configuring(settings(921_600), outputs: []))
        #expect(requests.prefix(2) == ["40 9A 1312 F387", "40 9A 0F2C 0000"])
        #expect(try CH34xChip().kept(settings(921_600)).baud.bitsPerSecond == 923_077)
    }

    @Test("H types and parts with several ports name the port with the speed")
    func ftdiWithPort() throws {
        func speed(_ model: FTDIChip.Model, _ port: UInt8, _ speed: UInt32) throws -> String? {
            text(try FTDIChip(model, port: port).configuring(settings(speed), outputs: [])).dropFirst().first
        }
        #expect(try speed(.ft232H, 0, 9600) == "40 03 4138 0001")
        #expect(try speed(.ft2232D, 1, 9600) == "40 03 4138 0002")
        // 24 MHz / 14400 = 1667 eighths = 208 and 3/8: code 4, whose highest bit is in the index.
        #expect(try speed(.ft232R, 0, 14_400) == "40 03 00D0 0001")
        #expect(try speed(.ft4232H, 3, 14_400) == "40 03 00D0 0104")
        #expect(try speed(.ftX, 0, 115_200) == "40 03 001A 0000")
    }

    @Test("the eight codes for eighths of a divisor")
    func ftdiEighths() throws {
        // Divisors of 100 and 0 to 7 eighths: 24 MHz / 800 to 807.
        let wanted: [(UInt32, UInt16, UInt16)] = [
            (0, 0x0064, 0), (1, 0xC064, 0), (2, 0x8064, 0), (3, 0x0064, 1), (4, 0x4064, 0), (5, 0x4064, 1),
            (6, 0x8064, 1), (7, 0xC064, 1),
        ]
        let found = try (UInt32(29_700)...30_000).map { speed in
            try FTDIDivisor(for: try #require(BaudRate(speed)), hasFastClock: false, on: "FTDI")
        }
        for (eighths, value, index) in wanted {
            let divisor = try #require(found.first { $0.eighths == 800 + eighths })
            #expect(divisor.value == value && divisor.index == index, "\(eighths) eighths")
        }
    }

    @Test(
        "the highest speeds of FTDI chips",
        arguments: [
            (3_000_000, 0x0000, 0x0000), (2_000_000, 0x0001, 0x0000), (1_500_000, 0x0002, 0x0000),
        ] as [(UInt32, UInt16, UInt16)])
    func ftdiHighest(speed: UInt32, value: UInt16, index: UInt16) throws {
        let divisor = try FTDIDivisor(for: try #require(BaudRate(speed)), hasFastClock: false, on: "FTDI")
        #expect(divisor.value == value && divisor.index == index)
        #expect(divisor.rate.rounded.bitsPerSecond == speed)
    }

    @Test(
        "the fast clock of the H types serves where the other comes not close enough",
        arguments: [
            (12_000_000, 0x0000, 0x0002), (8_000_000, 0x0001, 0x0002), (6_000_000, 0x0002, 0x0002),
            (1_600_000, 0x4007, 0x0002),
        ] as [(UInt32, UInt16, UInt16)])
    func ftdiFastClock(speed: UInt32, value: UInt16, index: UInt16) throws {
        let baud = try #require(BaudRate(speed))
        let divisor = try FTDIDivisor(for: baud, hasFastClock: true, on: "FTDI")
        #expect(divisor.value == value && divisor.index == index)
        #expect(divisor.rate.rounded == baud)
        #expect(throws: SerialChipRefusal.self) { try FTDIDivisor(for: baud, hasFastClock: false, on: "FTDI") }
        let chip = FTDIChip(.ft2232H, port: 1)
        #expect(text(try chip.configuring(settings(12_000_000), outputs: [])).dropFirst().first == "40 03 0000 0202")
    }

    @Test("a PL2303 knows usual speeds by name and divides for others")
    func pl2303() throws {
        // 384 MHz / 100000 = 3840 = 240 * 4 * 4.
        let coding = text(try PL2303Chip(.classic).configuring(settings(100_000), outputs: [])).first
        #expect(coding == "21 20 0000 0000 F0040080000008")
        #expect(try PL2303Chip(.classic).kept(settings(100_000)).baud.bitsPerSecond == 100_000)
        #expect(
            text(try PL2303Chip(.hxn).configuring(settings(100_000), outputs: [])).first
                == "21 20 0000 0000 A0860100000008")
    }

    @Test("a speed that is not within 3 % is refused, with the nearest there is")
    func refusals() {
        let cases: [(any SerialChip, UInt32, String)] = [
            (
                FTDIChip(.ft232R), 1_700_000,
                "FTDI FT232R cannot make 1700000 baud: the nearest it has is 1500000, more than 3 % off"
            ),
            (
                FTDIChip(.ft232R), 4_000_000,
                "FTDI FT232R cannot make 4000000 baud: the nearest it has is 3000000, more than 3 % off"
            ),
            (
                FTDIChip(.ft232R), 100,
                "FTDI FT232R cannot make 100 baud: the nearest it has is 183, more than 3 % off"
            ),
            (
                CH34xChip(), 2_400_000,
                "WCH CH34x cannot make 2400000 baud: the nearest it has is 2000000, more than 3 % off"
            ),
            (CH34xChip(), 40, "WCH CH34x cannot make 40 baud: it has 46 to 6000000"),
            (CP210xChip(.cp2102), 299, "Silicon Labs CP2102 cannot make 299 baud: it has 300 to 3000000"),
            (
                CP210xChip(.cp2105, port: 1), 1_000_000,
                "Silicon Labs CP2105 port 2 cannot make 1000000 baud: it has 2400 to 921600"
            ),
            (PL2303Chip(.classic), 6_000_001, "Prolific PL2303HX cannot make 6000001 baud: it has 46 to 6000000"),
        ]
        for (chip, speed, sentence) in cases {
            #expect(throws: SerialChipRefusal(sentence)) { try chip.kept(settings(speed)) }
        }
    }
}
