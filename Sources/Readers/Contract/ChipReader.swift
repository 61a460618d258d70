public import EMV
public import Transport

/// A reader that passes APDUs to a chip card; the EMV kernel runs on this side.
///
/// A reader does one thing at a time: while one call is under way another one throws `.busy`. Every call ends at its
/// deadline, when the task is cancelled (`.cancelled`), or when the reader leaves (`.gone`); after `.gone` the session is
/// over. Calls may be made from any task.
public protocol ChipReader: Sendable {
    /// What was plugged in, for people: "Mock Works Card Reader".
    var model: String { get }

    /// Whether a card is in the slot now.
    func cardPresence(until deadline: Deadline) async throws(ReaderError) -> CardPresence

    /// Returns when a card is in the slot. Throws `.cardNotInserted` at the deadline.
    func waitForCard(until deadline: Deadline) async throws(ReaderError)

    /// Activates the card (cold reset) and agrees on a protocol.
    /// - Returns: the ATR, at most 33 bytes.
    func powerOnCard(until deadline: Deadline) async throws(ReaderError) -> [UInt8]

    /// One command and its answer. GET RESPONSE and Le corrections are handled below.
    func transmit(_ command: CommandAPDU, until deadline: Deadline) async throws(ReaderError) -> ResponseAPDU

    /// Deactivates the card. Never throws: it is a clean-up step and does what can be done.
    func powerOffCard() async

    /// Returns when the slot is empty, or at the deadline. True when it is empty.
    func waitForCardRemoval(until deadline: Deadline) async throws(ReaderError) -> Bool

    /// Powers the card off and gives the reader back. May be called more than once. A call that is under way in another
    /// task ends with `.closed`, and the card then keeps its power until somebody resets it.
    func close() async
}

public enum CardPresence: String, Sendable, Hashable {
    case present, absent, unknown
}
