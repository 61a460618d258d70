import FirmwareCores
import Testing

/// Bytes as CCID 1.1, chapter 6, has them.
struct CCIDReaderCoreTests {
    private let powerOn = "62 00000000 00 00 00 0000"

    @Test func descriptorsAreThoseOfACCIDReader() throws {
        let core = try CCIDReaderCore.make(options: [:])
        #expect(text(core.descriptors.device) == joined("1201000200000040E608373400010102 0301"))
        let configuration = text(core.descriptors.configuration)
        #expect(configuration.hasPrefix(joined("09025D0001010080320904000003 0B00000036211001 0007")))
        #expect(
            configuration.hasSuffix(
                joined(
                    "362110010007 03000000 A00F0000A00F000000 802500008025000000 FE000000 0000000000000000 FE040400 0F010000 FFFF00000001 07050202400000 07058202400000 07058303080010"
                )))
        #expect(core.descriptors.configuration.count == 93)
        #expect(core.descriptors.maxPacketSize(of: 0x83) == 8)
    }

    @Test(arguments: [
        ("short", "FE040200"), ("extended", "FE040400"), ("tpdu", "30000100"), ("character", "30000000"),
    ])
    func levelStandsInTheFeatures(level: String, features: String) throws {
        let core = try CCIDReaderCore.make(options: ["level": level])
        #expect(text(core.descriptors.configuration[58..<62]) == features)
    }

    @Test(arguments: [
        ["level": "loud"], ["card": "no-such-card"], ["colour": "red"], ["vid": "xyzw"], ["packet": "8"],
    ])
    func unknownOptionsAreRefused(options: [String: String]) {
        #expect(throws: CoreOptionError.self) { try CCIDReaderCore.make(options: options) }
    }

    @Test func powerOnAnswersTheAnswerToReset() throws {
        let host = try CCIDHost()
        #expect(host.send("65 00000000 00 01 000000") == ["81000000000001010000"])
        #expect(host.send("62 00000000 00 02 000000") == [joined("80 0D000000 0002 000000 3BE400008131FE454D4F434BE5")])
        #expect(host.send("65 00000000 00 03 000000") == ["81000000000003000000"])
        #expect(host.send("63 00000000 00 04 000000") == ["81000000000004010000"])
    }

    @Test func parametersOfT1AndOfT0() throws {
        let t1 = try CCIDHost()
        _ = t1.send(powerOn)
        #expect(t1.send("6C 00000000 00 05 000000") == [joined("82 07000000 0005 0000 01 1110004500FE00")])
        #expect(
            t1.send("61 07000000 00 06 010000 1110004500FE00")
                == [joined("82 07000000 0006 0000 01 1110004500FE00")])
        #expect(t1.send("61 05000000 00 07 000000 1100000A00") == ["82000000000007400700"])
        let t0 = try CCIDHost(["card": "visa-t0"])
        _ = t0.send(powerOn)
        #expect(t0.send("6C 00000000 00 08 000000") == [joined("82 05000000 0008 0000 00 1100000A00")])
        #expect(t0.send("6D 00000000 00 09 000000") == [joined("82 05000000 0009 0000 00 1100000A00")])
    }

    @Test func emptySlotIsAbsentInEveryAnswer() throws {
        let host = try CCIDHost(["card": "none"])
        #expect(host.send("65 00000000 00 00 000000") == ["81000000000000020000"])
        #expect(host.send("62 00000000 00 01 000000") == ["8000000000000142FE00"])
        #expect(host.send("6F 05000000 00 02 000000 00A4040000") == ["8000000000000242FE00"])
    }

    @Test func muteCardFailsPowerOn() throws {
        let host = try CCIDHost(["card": "mute"])
        #expect(host.send(powerOn) == ["8000000000000041FE00"])
    }

    @Test(arguments: [
        ("6B 00000000 00 01 000000", "81000000000001410000"),
        ("71 00000000 00 01 000000", "81000000000001410000"),
        ("6A 00000000 00 01 000000", "81000000000001410000"),
        ("00 00000000 00 01 000000", "81000000000001410000"),
        ("65 01000000 00 01 000000 00", "81000000000001410100"),
        ("65 01000000 00 01 000000", "81000000000001410100"),
        ("62 00000000 00 01 040000", "80000000000001410700"),
        ("65 00000000 01 01 000000", "81000000000101420500"),
        ("73 00000000 00 01 000000", "84000000000001410100"),
        ("73 08000000 00 01 000000 A00F000080250000", "84080000000001010000A00F000080250000"),
        ("6E 00000000 00 01 020000", "81000000000001410700"),
        ("6E 00000000 00 01 010000", "81000000000001010001"),
    ])
    func refusalsNameTheirReason(message: String, expected: String) throws {
        #expect(try CCIDHost().send(message) == [expected])
    }

    @Test func messageInTwoTransfersIsPutTogether() throws {
        let host = try CCIDHost()
        _ = host.send(powerOn)
        let message = hex("6F 00010000 00 01 000000") + [UInt8](repeating: 0, count: 256)
        #expect(host.send(Array(message[..<128])).isEmpty)
        #expect(host.send(Array(message[128...])).count == 1)
        #expect(host.core.framesSeen == 2)
    }

    @Test func selectAtEachLevel() throws {
        let directory = "315041592E5359532E4444463031"
        let answer = "6F1C840E" + directory + joined("A50A8801015F2D04 6573656E 9000")
        for level in ["short", "extended"] {
            for card in ["visa-credit", "visa-t0"] {
                let host = try CCIDHost(["level": level, "card": card])
                _ = host.send(powerOn)
                #expect(host.exchange("00A404000E\(directory)00") == answer, "\(level) \(card)")
            }
        }
        let t0 = try CCIDHost(["level": "tpdu", "card": "visa-t0"])
        _ = t0.send("62 00000000 00 00 01 0000")
        #expect(t0.exchange("00A404000E\(directory)") == "611E")
        #expect(t0.exchange("00C0000000") == "6C1E")
        #expect(t0.exchange("00C000001E") == answer)
        #expect(t0.exchange("00B2010C00") == "6C1D")
        let t1 = try CCIDHost(["level": "tpdu"])
        _ = t1.send("62 00000000 00 00 01 0000")
        #expect(t1.exchange("00C101FE3E") == "00E101FE1E")
        let select = text(block(0x00, hex("00A404000E\(directory)00")))
        #expect(t1.exchange(select) == text(block(0x00, hex(answer))))
    }

    @Test func characterLevelTransfersAreNotSupported() throws {
        let host = try CCIDHost(["level": "character"])
        _ = host.send("62 00000000 00 00 01 0000")
        #expect(host.send("6F 01000000 00 01 000000 00") == ["80000000000001400000"])
    }

    @Test func extendedLevelCollectsACommandInPieces() throws {
        let host = try CCIDHost()
        _ = host.send(powerOn)
        #expect(host.transfer(hex("00A4040007A0"), level: 1) == ["80000000000000000010"])
        #expect(host.transfer(hex("000000"), level: 3) == ["80000000000000000010"])
        #expect(host.transfer(hex("03101000"), level: 2).first?.hasSuffix("9000") == true)
        #expect(host.transfer(hex("00"), level: 2) == ["80000000000000400800"])
        #expect(host.transfer([], level: 0x10) == ["80000000000000400800"])
    }

    @Test func voltageMustBeChosenWhenTheReaderDoesNot() throws {
        let host = try CCIDHost(["level": "tpdu"])
        #expect(host.send(powerOn) == ["80000000000000410700"])
        #expect(try CCIDHost(["level": "tpdu", "autovoltage": "yes"]).send(powerOn).first?.hasPrefix("800D") == true)
    }

    @Test func removalAndInsertionAreNotified() throws {
        let host = try CCIDHost()
        _ = host.send(powerOn)
        #expect(host.steer("remove") == nil)
        #expect(host.takeNotifications() == ["5002"])
        #expect(host.send("65 00000000 00 01 000000") == ["81000000000001020000"])
        #expect(host.steer("remove") != nil)
        #expect(host.steer("insert mastercard-debit") == nil)
        #expect(host.takeNotifications() == ["5003"])
        #expect(host.send("65 00000000 00 02 000000") == ["81000000000002010000"])
        #expect(host.steer("insert visa-credit") != nil)
        #expect(host.steer("dance") != nil)
    }

    @Test func withoutInterruptEndpointNothingIsNotified() throws {
        let host = try CCIDHost(["interrupt": "no"])
        _ = host.steer("remove")
        #expect(host.takeNotifications().isEmpty)
        #expect(host.core.descriptors.maxPacketSize(of: 0x83) == nil)
    }
}
