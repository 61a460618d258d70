import Payments
import Testing

@Suite struct TransactionIDTests {
    @Test(
        "ten characters of time and sixteen of chance, in Crockford's base 32",
        arguments: [
            (0, "0000000000"), (31, "000000000Z"), (32, "0000000010"), (1_772_474_405_000, "01KJQVA448"),
            (0xFFFF_FFFF_FFFF, "7ZZZZZZZZZ"),
        ] as [(Int64, String)])
    func form(milliseconds: Int64, time: String) {
        #expect(TransactionID.make(atMilliseconds: milliseconds, random: PlainRandom()) == time + "0123456789ABCDEF")
    }

    @Test("a clock before 1970 or beyond its digits still gives an id", arguments: [Int64.min, -1, Int64.max])
    func extremes(milliseconds: Int64) {
        let id = TransactionID.make(atMilliseconds: milliseconds, random: SystemRandomSource())
        #expect(id.utf8.count == 26)
    }

    @Test("100,000 ids of one millisecond are all different, and have only their alphabet")
    func unique() {
        let random = SystemRandomSource()
        let ids = Set((0..<100_000).map { _ in TransactionID.make(atMilliseconds: 1, random: random) })
        #expect(ids.count == 100_000)
        let alphabet = Set("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
        #expect(ids.allSatisfy { $0.utf8.count == 26 })
        #expect(Set(ids.joined()) == alphabet)
    }

    @Test("ids sort by time")
    func order() {
        let random = SystemRandomSource()
        let times = [Int64(0), 1, 31, 32, 1023, 1024, 999_999, PaymentBed.noon, PaymentBed.noon + 1, 0xFFFF_FFFF_FFFF]
        let ids = times.map { TransactionID.make(atMilliseconds: $0, random: random) }
        #expect(ids == ids.sorted())
    }
}
