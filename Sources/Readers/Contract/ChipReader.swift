public import EMV
public import Transport

/// A reader that passes APDUs to a chip card; the EMV kernel runs on this side.
///
/// A cancelled task ends a call with `.cancelled`.
public protocol ChipReader: CardReader {
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

    /// Also powers the card off. When a call was under way in another task, the card keeps its power until somebody resets
    /// it.
    func close() async
}

extension ChipReader {
    public var capabilities: Set<ReaderCapability> { [.apduChannel, .contact] }
}

public enum CardPresence: String, Sendable, Hashable {
    case present, absent, unknown
}
