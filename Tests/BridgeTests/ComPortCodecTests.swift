import Testing
import Transport

@testable import Bridge

@Suite("The com port option (RFC 2217)")
struct ComPortCodecTests {
    @Test(
        "requests of the client, by the numbers of section 3",
        arguments: [
            ([0], .signature([])), ([0, 0x41], .signature([0x41])), ([1, 0, 1, 0xC2, 0], .setBaud(115_200)),
            ([1, 0, 0, 0, 0], .setBaud(0)), ([2, 8], .setDataSize(8)), ([3, 3], .setParity(3)),
            ([4, 2], .setStopSize(2)),
            ([5, 8], .setControl(8)), ([6, 0], .notifyLineState), ([7], .notifyModemState), ([8], .suspend),
            ([9], .resume), ([10, 16], .setLineStateMask(16)), ([11, 255], .setModemStateMask(255)),
            ([12, 3], .purge(3)),
        ] as [([UInt8], ComPortCommand)])
    func commands(parameters: [UInt8], command: ComPortCommand) {
        #expect(ComPortCommand(parameters) == command)
    }

    @Test(
        "cut short or unknown: no command", arguments: [[], [1, 0, 1, 0xC2], [2], [12], [13, 1], [101, 0, 0, 0, 0]])
    func nonsense(parameters: [UInt8]) {
        #expect(ComPortCommand(parameters) == nil)
    }

    @Test(
        "answers of the server: the client's number plus 100",
        arguments: [
            (.signature([0x52]), [255, 250, 44, 100, 0x52, 255, 240]),
            (.baud(9600), [255, 250, 44, 101, 0, 0, 0x25, 0x80, 255, 240]),
            // A 255 in a value is doubled.
            (.baud(0xFF00_01FF), [255, 250, 44, 101, 255, 255, 0, 1, 255, 255, 255, 240]),
            (.dataSize(7), [255, 250, 44, 102, 7, 255, 240]), (.parity(2), [255, 250, 44, 103, 2, 255, 240]),
            (.stopSize(1), [255, 250, 44, 104, 1, 255, 240]), (.control(9), [255, 250, 44, 105, 9, 255, 240]),
            (.lineState(96), [255, 250, 44, 106, 96, 255, 240]),
            (.modemState(176), [255, 250, 44, 107, 176, 255, 240]),
            (.lineStateMask(0), [255, 250, 44, 110, 0, 255, 240]),
            (.modemStateMask(255), [255, 250, 44, 111, 255, 255, 255, 240]),
            (.purge(2), [255, 250, 44, 112, 2, 255, 240]),
        ] as [(ComPortAnswer, [UInt8])])
    func answers(answer: ComPortAnswer, bytes: [UInt8]) {
        #expect(answer.bytes == bytes)
    }

    @Test("parity: NONE 1, ODD 2, EVEN 3, MARK 4, SPACE 5; flow: none 1, XON/XOFF 2, hardware 3, inbound 14 to 16")
    func numbers() {
        let parities: [SerialSettings.Parity] = [SerialSettings.Parity.none, .odd, .even, .mark, .space]
        #expect((UInt8(1)...5).compactMap { SerialSettings.Parity(comPort: $0) } == parities)
        for parity in SerialSettings.Parity.allCases {
            #expect(SerialSettings.Parity(comPort: parity.comPort) == parity)
        }
        #expect([0, 6].map { SerialSettings.Parity(comPort: $0) } == [nil, nil])
        #expect(SerialSettings.FlowControl.allCases.map(\.comPort) == [1, 3, 2])
        for flow in SerialSettings.FlowControl.allCases {
            #expect(SerialSettings.FlowControl(comPort: flow.comPort) == flow)
            #expect(SerialSettings.FlowControl(comPort: flow.comPortInbound) == flow)
        }
    }

    @Test("NOTIFY-MODEMSTATE: DCD 128, RI 64, DSR 32, CTS 16, and what has changed below; of RI only its end")
    func modemState() {
        #expect(([.dcd, .ri, .dsr, .cts] as ModemInputs).comPort == 0xF0)
        #expect(([.cts] as ModemInputs).comPort(since: [.dsr]) == 0x10 | 0x02 | 0x01)
        #expect(([.ri] as ModemInputs).comPort(since: []) == 0x40)
        #expect(([] as ModemInputs).comPort(since: [.ri, .dcd]) == 0x04 | 0x08)
    }
}

@Suite("Which options are agreed (RFC 854, RFC 1143)")
struct TelnetNegotiationTests {
    private static let offer: [UInt8] = [
        255, 251, 0, 255, 253, 0, 255, 251, 3, 255, 253, 3, 255, 253, 44,
    ]

    @Test("the server offers binary and no go-ahead both ways, and asks for the com port option")
    func offering() {
        var negotiation = TelnetNegotiation()
        #expect(negotiation.offer() == Self.offer)
        #expect(!negotiation.hasComPort)
    }

    @Test("an answer to an offer is not answered; the client that says WILL 44 speaks RFC 2217")
    func agreement() {
        var negotiation = TelnetNegotiation()
        _ = negotiation.offer()
        for (verb, option) in [(.do, 0), (.will, 0), (.do, 3), (.will, 3), (.will, 44)] as [(TelnetVerb, UInt8)] {
            #expect(negotiation.answer(verb, option) == [])
        }
        #expect(negotiation.hasComPort)
        // Said again, it changes nothing.
        #expect(negotiation.answer(.will, 44) == [])
        #expect(negotiation.answer(.wont, 44) == [255, 254, 44])
        #expect(!negotiation.hasComPort)
        #expect(negotiation.answer(.wont, 44) == [])
    }

    @Test("what was not offered is agreed to when it is known, and refused when not; echoing is ours only")
    func requests() {
        var negotiation = TelnetNegotiation()
        _ = negotiation.offer()
        #expect(negotiation.answer(.do, 1) == [255, 251, 1])
        #expect(negotiation.answer(.do, 1) == [])
        #expect(negotiation.answer(.dont, 1) == [255, 252, 1])
        #expect(negotiation.answer(.will, 1) == [255, 254, 1])
        #expect(negotiation.answer(.do, 44) == [255, 251, 44])
        #expect(negotiation.answer(.do, 24) == [255, 252, 24])
        #expect(negotiation.answer(.will, 31) == [255, 254, 31])
        #expect(negotiation.answer(.wont, 31) == [])
        #expect(negotiation.answer(.dont, 24) == [])
    }

    @Test("refused, it stays refused without another word")
    func refusal() {
        var negotiation = TelnetNegotiation()
        _ = negotiation.offer()
        #expect(negotiation.answer(.dont, 0) == [])
        #expect(negotiation.answer(.dont, 0) == [])
        #expect(negotiation.answer(.do, 0) == [255, 251, 0])
    }
}
