/// What the simulator does by the total amount, so that every outcome can be tried by hand.
package enum TestAmount: Sendable, Hashable {
    case decline(ResponseCode)
    /// Approves after the configured delay.
    case slow
    /// Approves at once; its reversal takes the configured delay.
    case slowReversal
    /// Approves this many minor units.
    case partial(Int64)
    /// Takes the money and never answers.
    case silent
    /// Takes the money and answers something that cannot be read.
    case garbage
    case approve

    /// - Parameter minorUnits: of the total, tip included.
    package init(minorUnits: Int64) {
        self =
            switch minorUnits {
            case 10_00: .decline(.callIssuer)
            case 40_00: .decline(.keepCard)
            case 50_00: .decline(.declined)
            case 74_00: .slow
            case 174_00: .slowReversal
            case 110_00: .partial(100_00)
            case 190_00: .silent
            case 191_00: .garbage
            default: .approve
            }
    }
}
