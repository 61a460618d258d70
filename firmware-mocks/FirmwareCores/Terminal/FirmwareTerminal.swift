/// The EMV that runs inside a reader's firmware: a kernel of its own, written apart from the product's, so that the two
/// agree only where both follow the standard. It knows no protocol, no wire and no clock: a reader core asks it for a
/// payment, gives it cards, and tells the host what it answers. Not thread-safe: its owner holds a lock.
///
/// One payment is `start`, a card, perhaps `choose`, perhaps `complete`. Each step runs the card as far as it goes.
public final class FirmwareTerminal {
    public internal(set) var configuration: Configuration
    /// The card at the reader: inserted until `remove`; tapped or swiped until it is read.
    public internal(set) var card: EMVCardCore?
    public internal(set) var presentation: CardPresentation?
    /// The last card that was at the reader, also after it has gone: its log tells what it saw.
    public internal(set) var lastCard: EMVCardCore?

    var payment: TerminalPayment?
    /// Everything known of the transaction: the host's values, the terminal's, the card's.
    var objects = TerminalObjects()
    var candidates: [Candidate] = []
    var stage = Stage.idle
    var entry = TerminalResult.Entry.contact
    var account: SecuredAccount?
    /// A chip was not readable: the stripe may be used.
    var chipHasFailed = false
    /// In the place of the service code of the card's stripe.
    var swipedServiceCode: String?
    var random: SeededGenerator
    var sequence: UInt32 = 0
    /// Of the card's last answer.
    var status: UInt16 = 0x9000

    enum Stage: Hashable {
        case idle, waiting, choosing, online, ended
    }

    struct Candidate: Hashable {
        var identifier: [UInt8]
        var label: String
        /// 87: 1 is first; 0 is last.
        var priority: UInt8
        /// The cardholder must agree (87, bit 8).
        var needsConfirmation: Bool
    }

    public init(configuration: Configuration = Configuration()) {
        self.configuration = configuration
        random = SeededGenerator(seed: configuration.seed)
    }

    /// A payment is under way, from `start` to its last step.
    public var isActive: Bool { stage != .idle && stage != .ended }
    /// Waits for a card.
    public var isWaiting: Bool { stage == .waiting }

    /// Begins a payment, and runs the card if there is one.
    public func start(_ payment: TerminalPayment) -> TerminalStep {
        cancel()
        self.payment = payment
        stage = .waiting
        chipHasFailed = false
        return proceed()
    }

    /// Runs the card that came since.
    public func proceed() -> TerminalStep {
        guard stage == .waiting, let payment else { return .ended(.outOfTurn) }
        guard let card, let presentation, payment.interfaces.contains(presentation) else {
            return .waiting(chipHasFailed ? .useStripe : .presentCard)
        }
        begin(payment)
        switch presentation {
        case .swiped:
            self.card = nil
            return read(stripeOf: card, payment)
        case .inserted:
            entry = .contact
        case .tapped:
            entry = .contactless
        }
        let step = run(card)
        if presentation == .tapped { takeAway() }
        return step
    }

    /// Forgets the payment. An inserted card stays where it is.
    public func cancel() {
        payment = nil
        stage = .idle
        candidates = []
        account = nil
        objects = TerminalObjects()
        card?.powerOff()
    }

    /// Ends the payment with a last step.
    func end(_ step: TerminalStep) -> TerminalStep {
        stage = .ended
        card?.powerOff()
        return step
    }

    func takeAway() {
        card?.powerOff()
        card = nil
        presentation = nil
    }

    private func begin(_ payment: TerminalPayment) {
        objects = configuration.objects
        objects.merge(payment.objects)
        sequence += 1
        objects["9F41"] = (0..<4).map { UInt8(truncatingIfNeeded: Self.decimal(sequence) >> (24 - 8 * UInt32($0))) }
        objects["9F37"] = random.bytes(4)
        // Offline data authentication was not performed; nothing else yet.
        objects["95"] = [0x80, 0x00, 0x00, 0x00, 0x00]
        objects["9B"] = [0x00, 0x00]
        // No CVM, always, successful.
        objects["9F34"] = [0x1F, 0x00, 0x02]
        account = nil
        candidates = []
    }

    private static func decimal(_ number: UInt32) -> UInt32 {
        var (rest, result, shift) = (number, UInt32(0), UInt32(0))
        while rest > 0, shift < 32 {
            result |= (rest % 10) << shift
            rest /= 10
            shift += 4
        }
        return result
    }
}
