/// The names that `scripts/bench-ledger-rows.py` gives to row `number`, 1 and up. Identifiers are scattered, as a shop's
/// own may be.
enum BenchRow {
    static func id(_ number: Int) -> String {
        "t" + padded(number)
    }

    static func identifier(_ number: Int) -> String {
        "order-" + padded(number &* 2_654_435_761 % 4_294_967_296)
    }

    private static func padded(_ number: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, 10 - digits.utf8.count)) + digits
    }
}
