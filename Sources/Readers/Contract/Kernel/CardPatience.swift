public import Transport

/// The two waits of a payment at a reader that runs EMV itself: for a card, and for what the card then says. They are apart
/// so that a card of the last instant has as long as any other.
public struct CardPatience: Sendable, Hashable {
    /// Until then a card may come. A reader with a time-out of its own is told this one.
    public let cardWait: Deadline
    /// How long the dialogue with a card may take, from the moment at which this side hears of the card.
    public let dialogue: Duration

    public init(cardWait: Deadline, dialogue: Duration) {
        self.cardWait = cardWait
        self.dialogue = dialogue
    }

    /// The end of a dialogue whose card came at the last instant: the deadline of what needs no card, and of an answer to
    /// `.applicationChoice`.
    public var end: Deadline { Deadline(cardWait.instant.advanced(by: dialogue)) }

    /// The deadline of a dialogue whose card is seen now.
    func dialogueDeadline(on clock: any MonotonicClock) -> Deadline { .after(dialogue, on: clock) }
}
