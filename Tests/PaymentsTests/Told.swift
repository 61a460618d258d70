import Payments
import Synchronization

/// What a sale told the person at the kiosk.
final class Told: Sendable {
    private let lines = Mutex<[PaymentProgress]>([])

    func add(_ line: PaymentProgress) { lines.withLock { $0.append(line) } }

    var all: [PaymentProgress] { lines.withLock { $0 } }
}

extension PaymentProgress {
    /// What a person is told whose card stays in a slot.
    static let ofInsertedCards = [insertCard, doNotRemoveCard, authorising, removeCard]
}
