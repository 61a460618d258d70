/// The interface device's side of T=1 (ISO/IEC 7816-3, 11; EMV Book 1, 9.2.4 and 9.2.5): chaining both ways,
/// retransmission, waiting time extension, field sizes, abort and resynchronisation.
///
/// It has no clock and no link: the owner sends what an action says, waits for BWT times the multiplier, then reports
/// the block that came or that none came. Whatever the card does, an exchange ends: three tries without progress lead
/// to one resynchronisation, then to failure, and all blocks of an exchange are counted.
///
/// After a failed exchange the next one starts with a resynchronisation, unless `reset()` follows a reset of the card.
public struct T1Engine: Sendable, Hashable {
    public enum Action: Sendable, Hashable {
        /// Send the block, then wait for an answer for BWT times `waitingTimeMultiplier`, 1 ... 255.
        case send([UInt8], waitingTimeMultiplier: Int)
        /// The answer to the command; empty after `startIFS`.
        case complete([UInt8])
        /// The exchange is over without an answer.
        case fail(T1Error)
    }

    enum State: Sendable, Hashable {
        case idle
        /// S(IFS request) is out.
        case negotiating
        /// An I-block is out: R for a chained one, I for the last.
        case sending
        /// The card is chaining its answer.
        case receiving
        /// S(RESYNCH request) is out.
        case resynchronising
        /// S(ABORT response) is out.
        case aborting
    }

    /// Transmissions without progress (ISO/IEC 7816-3, 11.6.3.2, rule 7.4).
    static let maximumTries = 3
    /// Blocks received or missed in one exchange. The longest proper short answer, one byte a block, takes 258.
    static let maximumBlocks = 1_024
    static let maximumWaitingTimeExtensions = 250
    static let maximumCommandLength = 65_544
    static let maximumAnswerLength = 65_538

    public let errorDetection: T1ErrorDetection
    /// IFSD, which `startIFS` announces: 1 ... 254 bytes.
    public let informationFieldSizeDevice: Int
    /// NAD of the blocks sent. Those received have SAD and DAD exchanged.
    public let nodeAddress: UInt8
    /// IFSC in force, which the card may change: 1 ... 254 bytes.
    public internal(set) var informationFieldSizeCard: Int
    let initialInformationFieldSizeCard: Int

    var state = State.idle
    /// N(S) of the I-block that is out, or of the next one.
    var sendSequence: UInt8 = 0
    /// N(S) expected of the card.
    var receiveSequence: UInt8 = 0
    /// What went out last, to be sent again.
    var lastBlock: T1Block?
    /// The I-block that is not acknowledged yet.
    var pendingBlock: T1Block?
    var command: [UInt8] = []
    /// Bytes of the command up to the end of the pending block.
    var sentLength = 0
    var answer: [UInt8] = []
    var tries = 0
    var blockCount = 0
    var extensionCount = 0
    var hasResynchronised = false
    /// The whole command went out and the card did not say that it failed to get it.
    var cardMayHaveCommand = false
    var needsResynchronisation = false

    /// - Parameters:
    ///   - informationFieldSizeCard: From the answer to reset; brought into 1 ... 254.
    ///   - informationFieldSizeDevice: Brought into 1 ... 254.
    public init(
        errorDetection: T1ErrorDetection, informationFieldSizeCard: Int, informationFieldSizeDevice: Int = 254,
        nodeAddress: UInt8 = 0
    ) {
        self.errorDetection = errorDetection
        initialInformationFieldSizeCard = min(max(informationFieldSizeCard, 1), 254)
        self.informationFieldSizeCard = initialInformationFieldSizeCard
        self.informationFieldSizeDevice = min(max(informationFieldSizeDevice, 1), 254)
        self.nodeAddress = nodeAddress
    }

    /// After a reset of the card: both sequence numbers are 0, the field size is that of the answer to reset.
    public mutating func reset() {
        endExchange()
        setInitialValues()
        needsResynchronisation = false
    }

    /// Announces IFSD to the card. EMV asks for it right after the answer to reset (EMV Book 1, 9.2.4.2.2).
    public mutating func startIFS() -> Action {
        beginExchange()
        state = .negotiating
        return transmit(
            .supervisory(.informationFieldSize, isResponse: false),
            information: [UInt8(clamping: informationFieldSizeDevice)])
    }

    /// Carries one command APDU, short or extended. An exchange under way is given up.
    public mutating func start(apdu: [UInt8]) -> Action {
        guard (1...Self.maximumCommandLength).contains(apdu.count) else { return .fail(.commandLength) }
        beginExchange()
        command = apdu
        return needsResynchronisation ? startResynchronisation() : sendNextPart()
    }

    /// - Parameter block: NAD to EDC as it came, damaged or not.
    public mutating func receive(_ block: [UInt8]) -> Action {
        if let refusal = countBlock() { return refusal }
        do throws(T1BlockError) {
            let block = try T1Block(parsing: block, errorDetection: errorDetection)
            guard block.nodeAddress == nodeAddress << 4 | nodeAddress >> 4 else { return recover(.otherError) }
            return handle(block)
        } catch {
            return recover(error.code == .badErrorDetectionCode ? .checkError : .otherError)
        }
    }

    /// Nothing came within the waiting time.
    public mutating func timedOut() -> Action {
        if let refusal = countBlock() { return refusal }
        return recover(.otherError)
    }

    private mutating func countBlock() -> Action? {
        guard state != .idle else { return .fail(.notWaiting) }
        if state == .aborting { return fail(.abortedByCard) }
        blockCount += 1
        // A command of many parts earns a block for each.
        let allowance = Self.maximumBlocks + command.count / informationFieldSizeCard
        return blockCount > allowance ? fail(.tooManyBlocks) : nil
    }
}
