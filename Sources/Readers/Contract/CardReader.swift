/// A reader that is open, whichever side runs EMV.
///
/// A reader does one thing at a time: while one call is under way another one throws `.busy`. Every call ends at its
/// deadline, when the task is cancelled, or when the reader leaves (`.gone`); after `.gone` the session is over. Calls
/// may be made from any task.
public protocol CardReader: Sendable {
    /// What was plugged in, for people: "Mock Works Card Reader".
    var model: String { get }

    var capabilities: Set<ReaderCapability> { get }

    /// Tells `observer` of each operation from now on, instead of whoever was told before.
    func observe(by observer: any OperationObserver)

    /// Ends what is under way and gives the reader back. May be called more than once. A call that is under way in another
    /// task ends with `.closed`.
    func close() async
}

extension CardReader {
    /// Nobody is told of a reader that does not say what it does.
    public func observe(by observer: any OperationObserver) {}
}

/// What a reader can do. The raw value is what `readerctl probe` prints.
public enum ReaderCapability: String, Sendable, Hashable, CaseIterable {
    /// Passes APDUs to the card. Without `kernel` beside it the kernel runs on this side: such a reader is a `ChipReader`.
    case apduChannel = "apdu"
    /// Runs EMV itself. Such a reader is a `KernelReader`.
    case kernel
    case contact
    case contactless
    case magneticStripe = "stripe"
    case display
    case pinPad = "pin-pad"
    /// Hands out card data masked or encrypted, never in clear (SRED).
    case securedReading = "sred"
}

/// A reader that was opened, by the side that runs EMV.
public enum OpenedReader: Sendable {
    case channel(any ChipReader)
    case kernel(any KernelReader)

    /// What both kinds have in common.
    public var reader: any CardReader {
        switch self {
        case .channel(let reader): reader
        case .kernel(let reader): reader
        }
    }
}
