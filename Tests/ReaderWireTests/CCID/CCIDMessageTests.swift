import ReaderWire
import Testing

/// Messages of "Device Class: Smart Card CCID" 1.1, as computed from its tables.
@Suite struct CCIDMessageTests {
    @Test("power on, slot 0, sequence 0")
    func powerOn() {
        let command = CCIDCommand.iccPowerOn(slot: 0, sequence: 0, voltage: .automatic)
        #expect(command.bytes == hex("62 00000000 00 00 00 00 00"))
        #expect(
            CCIDCommand.iccPowerOn(slot: 1, sequence: 255, voltage: .volts3).bytes == hex("62 00000000 01 FF 02 0000"))
    }

    @Test("SELECT of the payment system environment goes out in one XfrBlock, with and without Le")
    func xfrBlock() {
        let select = hex("00A404000E 315041592E5359532E4444463031")
        #expect(
            CCIDCommand.xfrBlock(slot: 0, sequence: 1, data: select + [0]).bytes
                == hex("6F 14000000 00 01 00 00 00") + select + [0])
        #expect(
            CCIDCommand.xfrBlock(slot: 0, sequence: 1, data: select).bytes == hex("6F 13000000 00 01 00 00 00") + select
        )
        #expect(
            CCIDCommand.xfrBlock(slot: 0, sequence: 2, waitingTimeMultiplier: 3, levelParameter: 0x0010, data: []).bytes
                == hex("6F 00000000 00 02 03 10 00"))
    }

    @Test("SetParameters carries the protocol number and its structure")
    func setParameters() {
        let command = CCIDCommand.setParameters(
            slot: 0, sequence: 4, protocolNumber: 1, parameters: hex("11100045 00FE00"))
        #expect(command.bytes == hex("61 07000000 00 04 01 00 00 11100045 00FE00"))
    }

    @Test("an answer with data, and back to the same bytes")
    func answer() throws {
        let bytes = hex("80 02000000 00 01 00 00 00 9000")
        let response = try CCIDResponse(parsing: bytes)
        #expect(response.type == .dataBlock)
        #expect(response.sequence == 1)
        #expect(response.status == CCIDSlotStatus(card: .active, command: .succeeded))
        #expect(response.data == [0x90, 0x00])
        #expect(response.bytes == bytes)
    }

    @Test("no card; a mute card; a card that needs more time")
    func statuses() throws {
        #expect(try CCIDResponse(parsing: hex("81 00000000 00 00 02 00 00")).status.card == .absent)
        let mute = try CCIDResponse(parsing: hex("80 00000000 00 00 41 FE 00"))
        #expect(mute.status == CCIDSlotStatus(card: .inactive, command: .failed))
        #expect(CCIDSlotError(mute.error) == .iccMute)
        let waiting = try CCIDResponse(parsing: hex("80 00000000 00 01 80 01 00"))
        #expect(waiting.status.command == .timeExtension)
        #expect(waiting.error == 1)
    }

    @Test("what is no message is refused by its reason")
    func refused() {
        #expect(throws: CCIDFrameError.tooShort(9)) { try CCIDResponse(parsing: hex("80 00000000 00 00 00 00")) }
        #expect(throws: CCIDFrameError.unknownType(0x62)) {
            try CCIDResponse(parsing: hex("62 00000000 00 00 00 00 00"))
        }
        #expect(throws: CCIDFrameError.wrongLength(stated: 3, present: 2)) {
            try CCIDResponse(parsing: hex("80 03000000 00 01 00 00 00 9000"))
        }
    }

    @Test("every value of bStatus and bError has a name and a text")
    func names() {
        for byte in UInt8.min...UInt8.max {
            let status = CCIDSlotStatus(byte: byte)
            #expect(!status.card.name.isEmpty && !status.command.name.isEmpty)
            #expect(status.byte == byte & 0xC3)
            let error = CCIDSlotError(byte)
            #expect(!error.name.isEmpty && error.sentence.hasSuffix("."))
        }
        let standard: [(UInt8, String)] = [
            (0xFF, "CMD_ABORTED"), (0xFE, "ICC_MUTE"), (0xFD, "XFR_PARITY_ERROR"), (0xFC, "XFR_OVERRUN"),
            (0xFB, "HW_ERROR"), (0xF8, "BAD_ATR_TS"), (0xF7, "BAD_ATR_TCK"), (0xF6, "ICC_PROTOCOL_NOT_SUPPORTED"),
            (0xF5, "ICC_CLASS_NOT_SUPPORTED"), (0xF4, "PROCEDURE_BYTE_CONFLICT"), (0xF3, "DEACTIVATED_PROTOCOL"),
            (0xF2, "BUSY_WITH_AUTO_SEQUENCE"), (0xF0, "PIN_TIMEOUT"), (0xEF, "PIN_CANCELLED"),
            (0xE0, "CMD_SLOT_BUSY"), (0x00, "CMD_NOT_SUPPORTED"), (0x05, "BAD_PARAMETER_5"), (0x81, "USER_DEFINED_81"),
            (0x80, "RESERVED_80"),
        ]
        for (byte, name) in standard { #expect(CCIDSlotError(byte).name == name) }
    }

    @Test("a card comes, a card goes, the hardware fails; the rest is no notification")
    func notifications() {
        #expect(
            CCIDNotification(parsing: hex("5003"))
                == .slotChange([
                    .init(isPresent: true, hasChanged: true), .init(isPresent: false, hasChanged: false),
                    .init(isPresent: false, hasChanged: false), .init(isPresent: false, hasChanged: false),
                ]))
        guard case .slotChange(let slots) = CCIDNotification(parsing: hex("5002")) else {
            Issue.record("5002 is a slot change")
            return
        }
        #expect(slots[0] == .init(isPresent: false, hasChanged: true))
        #expect(CCIDNotification(parsing: hex("51000701")) == .hardwareError(slot: 0, sequence: 7, code: 1))
        for bytes in ["", "50", "5100", "80"] { #expect(CCIDNotification(parsing: hex(bytes)) == nil) }
    }
}
