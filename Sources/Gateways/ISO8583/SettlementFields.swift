package import ISO8583
package import Money

/// The fields of a batch's totals, as both sides write and read them.
extension Message {
    /// Sets 74 to 77, 86 to 89 and 97.
    package mutating func setTotals(_ totals: BatchTotals) {
        setTally(totals.refunds, count: 74, amount: 86)
        setTally(totals.reversedRefunds, count: 75, amount: 87)
        setTally(totals.sales, count: 76, amount: 88)
        setTally(totals.reversedSales, count: 77, amount: 89)
        let net = totals.net
        set(97, (net < 0 ? "D" : "C") + Self.padded(String(net.magnitude), 16))
    }

    /// Reads them; what is missing of the reversals is none. Nil when there are none, or when they contradict each
    /// other.
    package func totals(in currency: Currency) -> BatchTotals? {
        guard let refunds = tally(count: 74, amount: 86, isOptional: false),
            let reversedRefunds = tally(count: 75, amount: 87, isOptional: true),
            let sales = tally(count: 76, amount: 88, isOptional: false),
            let reversedSales = tally(count: 77, amount: 89, isOptional: true)
        else { return nil }
        let totals = BatchTotals(
            currency: currency, sales: sales, reversedSales: reversedSales, refunds: refunds,
            reversedRefunds: reversedRefunds)
        guard let net = text(97) else { return totals }
        guard let magnitude = Int64(net.dropFirst()),
            (net.hasPrefix("D") ? -magnitude : magnitude) == totals.net
        else { return nil }
        return totals
    }

    /// Whether any of the fields that must be there is.
    package var hasTotals: Bool { [74, 76, 86, 88].contains { text($0) != nil } }

    private mutating func setTally(_ tally: BatchTotals.Tally, count: Int, amount: Int) {
        set(count, Self.padded(String(tally.count), 10))
        set(amount, Self.padded(String(tally.minorUnits), 16))
    }

    private func tally(count: Int, amount: Int, isOptional: Bool) -> BatchTotals.Tally? {
        guard text(count) != nil || text(amount) != nil else { return isOptional ? BatchTotals.Tally() : nil }
        guard let number = text(count).flatMap({ Int($0) }), let sum = text(amount).flatMap({ Int64($0) }) else {
            return nil
        }
        return BatchTotals.Tally(count: number, minorUnits: sum)
    }

    private static func padded(_ digits: String, _ count: Int) -> String {
        String(repeating: "0", count: max(0, count - digits.utf8.count)) + digits
    }
}
