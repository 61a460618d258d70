import Testing
import Transport
import USBSerial

/// The sequences that open, steer and close each chip, request by request.
@Suite("Control requests of USB-serial chips")
struct OpeningTests {
    private let plain = settings(9600)

    @Test("CDC-ACM: line coding and line state, to the control interface")
    func cdc() throws {
        let chip = CDCACMChip(controlInterface: 2)
        #expect(
            text(try chip.opening(plain, outputs: [.dtr, .rts])) == [
                "21 20 0000 0002 80250000000008", "21 22 0003 0002",
            ])
        #expect(text(chip.setting([.dtr], changed: [.rts])) == ["21 22 0001 0002"])
        #expect(text(chip.setting([.rts], changed: [.dtr])) == ["21 22 0002 0002"])
        #expect(text(chip.breaking(true, in: plain, registers: [])) == ["21 23 FFFF 0002"])
        #expect(text(chip.breaking(false, in: plain, registers: [])) == ["21 23 0000 0002"])
        #expect(chip.purging([.input, .output]).isEmpty)
        #expect(text(chip.closing()) == ["21 22 0000 0002"])
        #expect(chip.settingsRequest.map { text($0) } == "A1 21 0000 0002 <7")
        #expect(chip.statusSource == .notifications)
    }

    @Test("FTDI: reset, outputs, flow, speed, format, latency timer")
    func ftdi() throws {
        let chip = FTDIChip(.ft2232D, port: 1)
        #expect(
            text(try chip.opening(plain, outputs: [.dtr, .rts])) == [
                "40 00 0000 0002", "40 01 0101 0002", "40 01 0202 0002", "40 02 0000 0002", "40 03 4138 0002",
                "40 04 0008 0002", "40 09 0010 0002",
            ])
        #expect(text(chip.setting([], changed: [.dtr, .rts])) == ["40 01 0100 0002", "40 01 0200 0002"])
        #expect(text(chip.setting([.rts], changed: [.rts])) == ["40 01 0202 0002"])
        #expect(text(chip.breaking(true, in: settings(9600, .seven, .even), registers: [])) == ["40 04 4207 0002"])
        #expect(text(chip.breaking(false, in: settings(9600, .seven, .even), registers: [])) == ["40 04 0207 0002"])
        #expect(text(chip.purging([.input])) == ["40 00 0001 0002"])
        #expect(text(chip.purging([.output])) == ["40 00 0002 0002"])
        #expect(text(chip.closing()) == ["40 01 0100 0002", "40 01 0200 0002"])
        #expect(chip.outputRequest.map { text($0) } == "C0 05 0000 0002 <2")
    }

    @Test(
        "FTDI flow control",
        arguments: [
            (.none, "40 02 0000 0001"), (.rtscts, "40 02 0000 0101"), (.xonxoff, "40 02 1311 0401"),
        ] as [(SerialSettings.FlowControl, String)])
    func ftdiFlow(flow: SerialSettings.FlowControl, request: String) throws {
        #expect(text(try FTDIChip(.ft232R).configuring(settings(9600, flow: flow), outputs: [])).first == request)
    }

    @Test("CP210x: enable, speed, format, flow, outputs")
    func cp210x() throws {
        let chip = CP210xChip(.cp2108, port: 1)
        #expect(
            text(try chip.opening(plain, outputs: [.dtr, .rts])) == [
                "41 00 0001 0001", "41 1E 0000 0001 80250000", "41 03 0800 0001",
                "41 13 0000 0001 01000000400000000000000000000000", "41 07 0101 0001", "41 07 0202 0001",
            ])
        #expect(text(chip.setting([], changed: [.dtr, .rts])) == ["41 07 0100 0001", "41 07 0200 0001"])
        #expect(text(chip.breaking(true, in: plain, registers: [])) == ["41 05 0001 0001"])
        #expect(text(chip.breaking(false, in: plain, registers: [])) == ["41 05 0000 0001"])
        #expect(text(chip.purging([.input])) == ["41 12 000A 0001"])
        #expect(text(chip.purging([.output])) == ["41 12 0005 0001"])
        #expect(text(chip.purging([.input, .output])) == ["41 12 000F 0001"])
        #expect(chip.purging([]).isEmpty)
        #expect(text(chip.closing()) == ["41 07 0100 0001", "41 07 0200 0001", "41 00 0000 0001"])
        #expect(
            chip.statusSource
                == .request(
                    ControlRequest(requestType: 0xC1, request: 0x08, value: 0, index: 1, expectedLength: 1)))
    }

    @Test("CP210x flow control")
    func cp210xFlow() throws {
        let chip = CP210xChip(.cp2102)
        #expect(
            text(try chip.configuring(settings(9600, flow: .rtscts), outputs: [.dtr, .rts])).last
                == "41 13 0000 0000 09000000800000000000000000000000")
        #expect(
            text(try chip.configuring(settings(9600, flow: .xonxoff), outputs: [.dtr, .rts])).suffix(2) == [
                "41 19 0000 0000 000000001113", "41 13 0000 0000 01000000430000008000000080000000",
            ])
    }

    @Test("CH34x: the vendor's sequence")
    func ch34x() throws {
        let chip = CH34xChip()
        #expect(
            text(try chip.opening(plain, outputs: [.dtr, .rts])) == [
                "C0 5F 0000 0000 <2", "40 A1 0000 0000", "40 9A 1312 B282", "40 9A 0F2C 000C", "C0 95 2518 0000 <2",
                "40 9A 2518 00C3", "C0 95 0706 0000 <2", "40 A1 501F D90A", "40 9A 1312 B282", "40 9A 0F2C 000C",
                "40 A4 FF9F 0000", "C0 95 0706 0000 <2", "40 9A 2518 00C3",
            ])
        #expect(text(chip.setting([.dtr], changed: [.rts])) == ["40 A4 FFDF 0000"])
        #expect(text(chip.setting([.rts], changed: [.dtr])) == ["40 A4 FFBF 0000"])
        #expect(text(chip.closing()) == ["40 A4 FFFF 0000"])
        #expect(chip.breakRegisters.map { text($0) } == "C0 95 1805 0000 <2")
        #expect(text(chip.breaking(true, in: plain, registers: [0x01, 0xC3])) == ["40 9A 1805 8300"])
        #expect(text(chip.breaking(false, in: plain, registers: [0x00, 0x83])) == ["40 9A 1805 C301"])
        #expect(chip.purging([.input, .output]).isEmpty)
    }

    @Test(
        "PL2303: the eleven requests, with another last one for the oldest type",
        arguments: [
            (.classic, "40 01 0002 0044"), (.oldest, "40 01 0002 0024"),
        ] as [(PL2303Chip.Model, String)])
    func pl2303(model: PL2303Chip.Model, last: String) throws {
        let chip = PL2303Chip(model)
        #expect(
            text(try chip.opening(plain, outputs: [.dtr, .rts])) == [
                "C0 01 8484 0000 <1", "40 01 0404 0000", "C0 01 8484 0000 <1", "C0 01 8383 0000 <1",
                "C0 01 8484 0000 <1", "40 01 0404 0001", "C0 01 8484 0000 <1", "C0 01 8383 0000 <1",
                "40 01 0000 0001", "40 01 0001 0000", last,
                "21 20 0000 0000 80250000000008", "40 01 0000 0000", "21 22 0003 0000",
            ])
        #expect(text(chip.setting([.dtr], changed: [.rts])) == ["21 22 0001 0000"])
        #expect(text(chip.breaking(true, in: plain, registers: [])) == ["21 23 FFFF 0000"])
        #expect(text(chip.breaking(false, in: plain, registers: [])) == ["21 23 0000 0000"])
        #expect(text(chip.purging([.input, .output])) == ["40 01 0008 0000", "40 01 0009 0000"])
        #expect(text(chip.closing()) == ["21 22 0000 0000"])
    }

    @Test("PL2303HXN: no preparation, and requests of its own")
    func pl2303HXN() throws {
        let chip = PL2303Chip(.hxn)
        #expect(
            text(try chip.opening(plain, outputs: [.dtr, .rts])) == [
                "21 20 0000 0000 80250000000008", "40 80 000A 00FF", "21 22 0003 0000",
            ])
        #expect(text(chip.purging([.input])) == ["40 80 0007 0001"])
        #expect(text(chip.purging([.output])) == ["40 80 0007 0002"])
        #expect(text(chip.purging([.input, .output])) == ["40 80 0007 0003"])
    }

    @Test(
        "PL2303 flow control",
        arguments: [
            (.classic, .rtscts, "40 01 0000 0061"), (.oldest, .rtscts, "40 01 0000 0041"),
            (.classic, .xonxoff, "40 01 0000 00C0"), (.hxn, .rtscts, "40 80 000A 00FA"),
            (.hxn, .xonxoff, "40 80 000A 00EE"),
        ] as [(PL2303Chip.Model, SerialSettings.FlowControl, String)])
    func pl2303Flow(model: PL2303Chip.Model, flow: SerialSettings.FlowControl, request: String) throws {
        #expect(text(try PL2303Chip(model).configuring(settings(9600, flow: flow), outputs: [])).last == request)
    }
}
