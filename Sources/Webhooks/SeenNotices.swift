/// The ids of notices that were taken, so that each is booked once. It remembers the latest `capacity` ids and forgets
/// the oldest: memory does not grow with what is received. A notice is tried over about ten hours, so the capacity
/// should hold what may come in a day; what is booked should be kept unique by the receiver's own books as well.
public struct SeenNotices: Sendable {
    /// Bytes of an id; a longer one is never new.
    public static let longestID = 64

    private let capacity: Int
    private var known: Set<String> = []
    /// In the order in which they came, as a ring: `next` is the place of the oldest once it is full.
    private var ring: [String] = []
    private var next = 0

    /// - Parameter capacity: 1 ... 1,000,000 ids; anything else is taken to the nearer end.
    public init(capacity: Int = 10_000) {
        self.capacity = min(max(capacity, 1), 1_000_000)
    }

    public var count: Int { known.count }

    /// True for the first notice with this id, false for every repetition, and for what is no id.
    public mutating func isNew(_ id: String) -> Bool {
        guard (1...Self.longestID).contains(id.utf8.count), known.insert(id).inserted else { return false }
        if ring.count < capacity {
            ring.append(id)
        } else {
            known.remove(ring[next])
            ring[next] = id
            next = (next + 1) % capacity
        }
        return true
    }
}
