import Testing
import Transport
import USBSerial

@Suite("What USB-serial chips tell")
struct StatusTests {
    @Test(
        "FTDI packets of 64 bytes: raw bytes to payload",
        arguments: [
            (0, 0), (1, nil), (2, 0), (3, 1), (4, 2), (64, 62), (65, nil), (66, 62), (67, 63), (128, 124), (129, nil),
        ] as [(Int, Int?)])
    func table(raw: Int, payload: Int?) {
        let transfer = [UInt8](repeating: 0x60, count: raw)
        #expect((try? FTDIPackets.payload(of: transfer, packetSize: 64))?.count == payload)
    }

    @Test("the status goes packet by packet, not once a transfer")
    func borders() throws {
        let first: [UInt8] = [0x01, 0x60] + (0..<62)
        let second: [UInt8] = [0x31, 0x60] + (62..<65)
        #expect(try FTDIPackets.payload(of: first + second, packetSize: 64) == Array(0..<65))
        // At high speed the same bytes are one packet.
        #expect(try FTDIPackets.payload(of: first + second, packetSize: 512).count == 67)
    }

    @Test("a packet without its whole status, or packets too small for one, are errors")
    func torn() {
        #expect(throws: SerialChipRefusal("the FTDI chip sent a packet without its status")) {
            try FTDIChip(.ft232R).payload(of: [0x01], packetSize: 64)
        }
        #expect(throws: SerialChipRefusal.self) { try FTDIPackets.payload(of: [1, 2, 3], packetSize: 2) }
    }

    @Test("modem status of FTDI and CP210x: CTS 10, DSR 20, RI 40, DCD 80")
    func highNibble() {
        let bits: [(UInt8, ModemInputs)] = [(0x10, .cts), (0x20, .dsr), (0x40, .ri), (0x80, .dcd), (0x0F, [])]
        for (bit, input) in bits {
            #expect(FTDIChip(.ft232R).inputs(in: [bit, 0x60]) == input)
            #expect(CP210xChip(.cp2102).inputs(in: [bit]) == input)
        }
        #expect(FTDIChip(.ft232R).inputs(in: [0x10]) == nil)
        #expect(CP210xChip(.cp2102).inputs(in: []) == nil)
    }

    @Test("CH34x: active low")
    func ch34x() {
        let chip = CH34xChip()
        #expect(chip.inputs(in: [0xFF, 0xEE]) == [])
        #expect(chip.inputs(in: [0xFE, 0xEE]) == .cts)
        #expect(chip.inputs(in: [0xFD, 0xEE]) == .dsr)
        #expect(chip.inputs(in: [0xFB, 0xEE]) == .ri)
        #expect(chip.inputs(in: [0xF7, 0xEE]) == .dcd)
        #expect(chip.inputs(in: [0xFF]) == nil)
    }

    @Test("SERIAL_STATE of CDC, and the ten bytes of a PL2303")
    func notifications() {
        func state(_ byte: UInt8) -> [UInt8] { [0xA1, 0x20, 0, 0, 0, 0, 2, 0, byte, 0] }
        let (acm, prolific) = (CDCACMChip(controlInterface: 0), PL2303Chip(.classic))
        #expect(acm.inputs(in: state(0x01)) == .dcd)
        #expect(acm.inputs(in: state(0x02)) == .dsr)
        #expect(acm.inputs(in: state(0x08)) == .ri)
        #expect(acm.inputs(in: state(0x74)) == [])
        #expect(prolific.inputs(in: state(0x01)) == .dcd)
        #expect(prolific.inputs(in: state(0x02)) == .dsr)
        #expect(prolific.inputs(in: state(0x08)) == .ri)
        #expect(prolific.inputs(in: state(0x80)) == .cts)
        // NETWORK_CONNECTION, one that is cut short, and none.
        for bytes in [[0xA1, 0x00, 0, 0, 0, 0, 0, 0, 3, 0], Array(state(3).prefix(9)), []] as [[UInt8]] {
            #expect(acm.inputs(in: bytes) == nil)
        }
        #expect(prolific.inputs(in: [0xA2] + state(3).dropFirst()) == nil)
    }

    @Test("what is still to go out: TEMT of FTDI, the count of CP210x")
    func output() {
        #expect(FTDIChip(.ft232R).isOutputEmpty(in: [0x01, 0x60]))
        #expect(!FTDIChip(.ft232R).isOutputEmpty(in: [0x01, 0x20]))
        var status = [UInt8](repeating: 0, count: 19)
        #expect(CP210xChip(.cp2102).isOutputEmpty(in: status))
        status[9] = 1
        #expect(!CP210xChip(.cp2102).isOutputEmpty(in: status))
    }

    @Test("a PL2303 tells a divisor back as a speed")
    func divisorBack() {
        let told = PL2303Chip(.classic).settings(in: [0xF0, 0x04, 0x00, 0x80, 0, 2, 7])
        #expect(told == settings(100_000, .seven, .even))
        #expect(PL2303Chip(.classic).settings(in: [0x80, 0x25]) == nil)
    }
}
