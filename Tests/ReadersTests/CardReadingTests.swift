import BERTLV
import EMV
import ReaderWire
import Testing

@testable import Readers

/// What a reader that runs EMV itself tells of a card.
@Suite struct CardReadingTests {
    @Test("account data never stay among the objects", arguments: [0x56, 0x57, 0x5A, 0x5F24, 0x9F1F, 0x9F20, 0x9F6B])
    func accountObjects(_ tag: UInt64) {
        let tag = BERTLV.Tag(integerLiteral: tag)
        let reading = CardReading(
            entry: .contactChip, objects: [tag: [0x12], 0x9F27: [0x80]], account: .withheld(masked: nil))
        #expect(reading.value(of: tag) == nil)
        #expect(reading.value(of: 0x9F27) == [0x80])
    }

    @Test("a stripe with service code 2xx or 6xx belongs to a card with a chip")
    func serviceCodes() {
        func says(_ code: String?, _ entry: CardReading.Entry = .magneticStripe) -> Bool {
            CardReading(entry: entry, objects: [:], account: .withheld(masked: nil), serviceCode: code)
                .saysThatCardHasChip
        }
        #expect(says("201") && says("601"))
        #expect(!says("101") && !says("501") && !says("") && !says(nil))
        #expect(!says("201", .contactChip))
    }

    @Test("the last four digits come from the masked copy, and nothing else is shown")
    func maskedCopy() throws {
        let masked = try #require(MaskedPAN(ascii: Array("4761********0043".utf8)))
        let data = try #require(
            EncryptedCardData(
                scheme: .tdesDUKPT, keySerialNumber: [UInt8](repeating: 0xFF, count: 10),
                parts: [.track2Equivalent: [0xAB, 0xCD], .track1: []]))
        #expect(CardAccount.encrypted(data, masked: masked).lastFour == "0043")
        #expect(CardAccount.withheld(masked: nil).lastFour == nil)
        #expect("\(data)" == "tdes-dukpt: track2Equivalent 2 bytes")
        let reading = CardReading(entry: .magneticStripe, objects: [:], account: .encrypted(data, masked: masked))
        #expect(String(reflecting: reading) == "magneticStripe, 0 objects")
    }

    @Test("encrypted data need a key serial number of 8 to 12 bytes and something in them", arguments: [7, 13])
    func keySerialNumber(_ length: Int) {
        let serial = [UInt8](repeating: 1, count: length)
        #expect(EncryptedCardData(scheme: .unknown, keySerialNumber: serial, parts: [.track1: [1]]) == nil)
        #expect(
            EncryptedCardData(scheme: .unknown, keySerialNumber: [UInt8](repeating: 1, count: 10), parts: [:]) == nil)
    }
}
