/// Is told what is done with a reader. Called by whatever task does it, in order, and must return at once.
public protocol OperationObserver: Sendable {
    func began(_ operation: String)

    /// - Parameter error: nil when it ended well.
    func ended(_ operation: String, _ error: ReaderError?)

    /// The reader was closed, and what was under way has ended. Told once.
    func closed()
}
