/// Tells the states what is done with one reader that was opened.
final class ReaderSession: OperationObserver {
    private let states: ReaderStates
    private let stay: ReaderStates.Stay

    init(_ states: ReaderStates, _ stay: ReaderStates.Stay) {
        self.states = states
        self.stay = stay
    }

    func began(_ operation: String) { states.began(stay, operation) }

    func ended(_ operation: String, _ error: ReaderError?) { states.ended(stay, error) }

    func closed() { states.closed(stay) }
}
