import BERTLV
import Crypto
import Testing

@testable import EMV

/// However many objects a card sends, each is found, once.
@Suite struct CardObjectsTests {
    private static func card(_ count: Int) -> CardObjects {
        var card = CardObjects()
        var isNew = true
        for number in 0..<count where !card.add(tag(number), [UInt8(number % 251), 0x01]) { isNew = false }
        #expect(isNew)
        return card
    }

    private static func tag(_ number: Int) -> BERTLV.Tag { BERTLV.Tag(0xDF80_0000 + UInt64(number)) }

    @Test("few objects and many", arguments: [0, 1, 63, 64, 65, 20_000])
    func count(count: Int) {
        var card = Self.card(count)
        for number in 0..<count {
            #expect(card[Self.tag(number)] == [UInt8(number % 251), 0x01])
        }
        #expect(card[Self.tag(count)] == nil)
        guard count > 0 else { return }
        for number in [0, count / 2, count - 1] {
            let isNew = card.add(Self.tag(number), [0x02])
            #expect(!isNew && card[Self.tag(number)] != [0x02])
            card.replace(Self.tag(number), [0x03])
            #expect(card[Self.tag(number)] == [0x03])
        }
        #expect(card.description == "\(count) card objects")
    }

    @Test("a copy is not changed by what happens to the other, also when that is wiped", arguments: [1, 100])
    func copies(count: Int) {
        var card = Self.card(count)
        let copy = card
        card.replace(Self.tag(count - 1), [0x03])
        #expect(copy[Self.tag(count - 1)] == [UInt8(count - 1), 0x01])
        card.wipe()
        #expect(card[Self.tag(0)] == nil && card[Self.tag(count - 1)] == nil)
        #expect(copy[Self.tag(0)] == [0x00, 0x01])
    }

    @Test("the objects of an answer share its bytes, which go with the last copy that is wiped")
    func answer() {
        weak var answer: SecretBytes?
        var card = CardObjects()
        do {
            let bytes = SecretBytes([0x5A, 0x02, 0x12, 0x34, 0x50, 0x01, 0x41])
            answer = bytes
            let areNew = [card.add(0x5A, 2..<4, of: bytes), card.add(0x50, 6..<7, of: bytes)]
            #expect(areNew == [true, true])
        }
        #expect(card[0x5A] == [0x12, 0x34] && card[0x50] == [0x41])
        var copy = card
        card.wipe()
        #expect(answer != nil && copy[0x5A] == [0x12, 0x34])
        copy.wipe()
        #expect(answer == nil)
    }
}
