extension IssuerSimulator {
    /// What tests and demonstrations may change.
    public struct Options: Sendable {
        /// A wrong word to the card, to see what becomes of it.
        public enum IssuerDataFault: Sendable, Hashable {
            /// One bit of the ARPC is wrong.
            case wrongARPC
            /// The data ends in the middle of tag 91.
            case truncated
            /// Neither 91 nor scripts.
            case absent
        }

        /// How long 74.00 and the reversal of 174.00 take.
        public var slowAnswer: Duration = .seconds(40)
        /// Sent with every approval of a chip.
        public var scripts: [IssuerScript] = []
        public var issuerDataFault: IssuerDataFault?
        /// Where the book is kept, mode 0600; its directory must exist. Nil: in memory only.
        public var bookPath: String?

        public init() {}
    }
}
