/// What a field takes: a test, and the words for what is expected.
struct ValueRule<Value: Sendable>: Sendable {
    enum Outcome: Sendable {
        case value(Value)
        /// The clause that says what was given instead: `8 digits were given`.
        case refused(String)
    }

    /// The clause that says what is expected: `5 bytes as 10 hex digits are expected`.
    let expectation: String
    let read: @Sendable (JSONNode) -> Outcome

    init(_ expectation: String, _ read: @escaping @Sendable (JSONNode) -> Outcome) {
        self.expectation = expectation
        self.read = read
    }

    /// A rule for text. The closure is called with what stands between the quotation marks.
    static func text(
        _ expectation: String, _ read: @escaping @Sendable (String) -> Outcome
    ) -> ValueRule {
        ValueRule(expectation) { node in
            guard case .string(let text) = node else { return .refused(node.wasGiven) }
            return read(text)
        }
    }

    /// The value is made into another; nil: it is refused with `reason`, a clause.
    func mapped<Other>(
        _ expectation: String? = nil, refusedAs reason: String, _ make: @escaping @Sendable (Value) -> Other?
    ) -> ValueRule<Other> {
        let read = read
        return ValueRule<Other>(expectation ?? self.expectation) { node in
            switch read(node) {
            case .value(let value): make(value).map { .value($0) } ?? .refused(reason)
            case .refused(let reason): .refused(reason)
            }
        }
    }
}

extension JSONNode {
    var wasGiven: String { "\(kind) was given" }
}
