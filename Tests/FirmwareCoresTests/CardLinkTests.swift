import FirmwareCores
import Testing

/// The card's side of T=0 and T=1 (ISO 7816-3), seen through a reader at TPDU level.
struct CardLinkTests {
    private let select = "00A4040007A0000000031010"

    private func host(_ card: String) throws -> CCIDHost {
        let host = try CCIDHost(["level": "tpdu", "card": card])
        _ = host.send("62 00000000 00 00 01 0000")
        return host
    }

    @Test func t0AnswerWaitsForGetResponse() throws {
        let host = try host("visa-t0")
        #expect(host.exchange(select) == "6124")
        #expect(host.exchange("00C0000000") == "6C24")
        #expect(host.exchange("00C0000010") == "6F228407A0000000031010A517500B566114")
        #expect(host.exchange("00C0000015") == "6C14")
        #expect(host.exchange("00C0000014").hasSuffix("6573656E9000"))
        #expect(host.exchange("00C0000014") == "6985")
    }

    @Test func t0ReadWithWrongLengthIsCorrected() throws {
        let host = try host("visa-t0")
        _ = host.exchange(select)
        #expect(host.exchange("80A8000002 8300") == "610C")
        #expect(host.exchange("00B2010C00") == "6C2B")
        #expect(host.exchange("00B2010C2B").hasSuffix("9000"))
        #expect(host.exchange("0084000008").count == 20)
    }

    @Test func t0WarningComesBeforeTheData() throws {
        let host = try CCIDHost(["level": "short", "card": "visa-t0"])
        _ = host.send("62 00000000 00 00 00 0000")
        #expect(host.exchange(select).hasPrefix("61"))
        #expect(host.exchange(select + "00").hasSuffix("9000"))
    }

    @Test func ppsForTheOfferedProtocolIsConfirmedOnce() throws {
        let host = try host("visa-credit")
        #expect(host.exchange("FF1111FF") == "FF1111FF")
        #expect(host.exchange("FF01FE") == "FF01FE")
        #expect(host.exchange("00C101FE3E") == "00E101FE1E")
        #expect(host.exchange("FF1111FF") == text(block(0x82)))
        #expect(try self.host("visa-t0").transfer(hex("FF01FE")) == ["8000000000000040FE00"])
    }

    @Test func t1ChainsBothWays() throws {
        let host = try host("mastercard-t1")
        let command = hex("80A8000002830000")
        #expect(host.exchange(text(block(0x00, hex("00A4040007A000000004101000")))).hasPrefix("002020"))
        var answer: [UInt8] = []
        var reply = hex(host.exchange(text(block(0x90))))
        answer += reply.dropFirst(3).dropLast()
        #expect(reply[1] == 0x40)
        #expect(text(answer.suffix(2)) == "9000")
        #expect(host.exchange(text(block(0x60, Array(command.prefix(3))))) == text(block(0x80)))
        reply = hex(host.exchange(text(block(0x00, Array(command.dropFirst(3))))))
        #expect(text(reply.dropFirst(3).prefix(4)) == "770E8202")
    }

    @Test func t1BlockBeyondTheCardsSizeIsRefused() throws {
        let host = try host("mastercard-t1")
        #expect(host.exchange(text(block(0x00, [UInt8](repeating: 0, count: 33)))) == text(block(0x82)))
    }

    @Test func t1ErrorsAndRepetition() throws {
        let host = try host("visa-credit")
        let good = block(0x00, hex("00A4040007A000000003101000"))
        #expect(host.exchange(text(good.dropLast() + [good[good.count - 1] ^ 1])) == text(block(0x81)))
        #expect(host.exchange("0000") == text(block(0x82)))
        #expect(host.exchange(text(block(0x40, [0, 1, 2, 3]))) == text(block(0x82)))
        _ = host.exchange(text(block(0xC1, [0xFE])))
        let answer = host.exchange(text(good))
        #expect(host.exchange(text(block(0x81))) == answer)
        #expect(host.exchange(text(block(0x82))) == answer)
        #expect(host.exchange(text(block(0xC0))) == text(block(0xE0)))
        #expect(host.exchange(text(good)) == answer)
        #expect(host.exchange(text(block(0xC2))) == text(block(0xE2)))
    }

    @Test func t1CardAsksForTimeOnDemand() throws {
        let host = try host("visa-credit")
        #expect(host.steer("wtx 2") == nil)
        let select = block(0x00, hex("00A4040007A000000003101000"))
        #expect(host.exchange(text(select)) == text(block(0xC3, [1])))
        #expect(host.exchange(text(block(0xE3, [1]))) == text(block(0xC3, [1])))
        #expect(host.exchange(text(block(0xE3, [1]))).hasPrefix("002020"))
    }

    @Test func pulledCardIsAbsentAtOnce() throws {
        let host = try CCIDHost(["card": "pulled"])
        _ = host.send("62 00000000 00 00 00 0000")
        for _ in 1...5 { _ = host.exchange(select + "00") }
        #expect(host.transfer(hex(select + "00"), sequence: 9) == ["8000000000000942FE00"])
        #expect(host.takeNotifications() == ["5002"])
        #expect(host.steer("insert") == nil)
        #expect(host.takeNotifications() == ["5003"])
    }
}
