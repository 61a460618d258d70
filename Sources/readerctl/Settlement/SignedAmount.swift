/// A sum of many amounts, or a difference of two: more digits than an amount has, and perhaps below zero.
struct SignedAmount: CustomStringConvertible {
    let minorUnits: Int64

    /// Two decimals: `-1234.50`.
    var description: String {
        let magnitude = minorUnits.magnitude
        let cents = magnitude % 100
        return (minorUnits < 0 ? "-" : "") + "\(magnitude / 100).\(cents < 10 ? "0" : "")\(cents)"
    }
}
