/// One line of the catalogue: a model by its USB ids, with what is special about it.
public struct ReaderModel: Sendable, Hashable {
    public let vendorId: UInt16
    public let productId: UInt16
    public let name: String
    public let family: ReaderFamily
    public let claim: SupportClaim
    public let quirks: [Quirk]

    /// Where a model departs from its family's rules, and why we know.
    public struct Quirk: Sendable, Hashable {
        public enum Effect: Sendable, Hashable {
            /// Wait this long for an answer instead of the family's usual time, milliseconds.
            case responseTimeout(milliseconds: Int)
            /// Ask for the slot status this often instead of trusting the interrupt pipe, milliseconds.
            case pollsPresence(everyMilliseconds: Int)
            /// Reads cards only from these.
            case readsOnly(Set<CardInterface>)
        }

        public let effect: Effect
        /// What the device does, in a sentence. Never empty.
        public let reason: String

        public init(_ effect: Effect, because reason: String) {
            self.effect = effect
            self.reason = reason
        }
    }

    public init(
        _ vendorId: UInt16, _ productId: UInt16, _ name: String, family: ReaderFamily, claim: SupportClaim,
        quirks: [Quirk] = []
    ) {
        self.vendorId = vendorId
        self.productId = productId
        self.name = name
        self.family = family
        self.claim = claim
        self.quirks = quirks
    }

    public func responseTimeoutMilliseconds(default usual: Int) -> Int {
        for quirk in quirks {
            if case .responseTimeout(let milliseconds) = quirk.effect { return milliseconds }
        }
        return usual
    }

    /// Nil when the model reads from every interface of its family.
    public var cardInterfaces: Set<CardInterface>? {
        for quirk in quirks {
            if case .readsOnly(let interfaces) = quirk.effect { return interfaces }
        }
        return nil
    }

    public var presencePollMilliseconds: Int? {
        for quirk in quirks {
            if case .pollsPresence(let milliseconds) = quirk.effect { return milliseconds }
        }
        return nil
    }
}
