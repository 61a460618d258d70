/// The serial side of a USB-serial chip, as a device on its pins sees it.
public struct ChipLine: Sendable, Hashable {
    public enum Flow: String, Sendable, Hashable {
        case none, rtscts, xonxoff
    }

    /// Whether the chip passes bytes on: it has been prepared as its maker wants it.
    public var isOpen = false
    /// The speed that the chip's clock and divisor make, bits per second, rounded. 0 before one is set.
    public var baud = 0
    /// Data bits, parity's letter, stop bits, for example "8N1".
    public var format = ""
    public var flow = Flow.none
    public var isDTR = false
    public var isRTS = false
    public var isBreak = false
    /// How often each buffer was emptied: what the host is to receive, what it has sent.
    public var inputPurges = 0
    public var outputPurges = 0

    public init() {}

    /// The letters of none, odd, even, mark, space, as CDC, FTDI and CP210x number them.
    static let parities: [Character] = ["N", "O", "E", "M", "S"]

    /// Nil for a number without a meaning.
    static func format(bits: Int, parity: Int, twoStopBits: Bool) -> String? {
        guard (5...8).contains(bits), parities.indices.contains(parity) else { return nil }
        return "\(bits)\(parities[parity])\(twoStopBits ? 2 : 1)"
    }
}

/// The lines that the device on the pins drives.
public struct ChipInputs: Sendable, Hashable {
    public var isCTS = false
    public var isDSR = false
    public var isRI = false
    public var isDCD = false

    public init() {}

    /// From words such as `cts dsr`; nil when one is unknown. No word: all low.
    init?(words: some Sequence<Substring>) {
        for word in words {
            switch word {
            case "cts": isCTS = true
            case "dsr": isDSR = true
            case "ri": isRI = true
            case "dcd": isDCD = true
            default: return nil
            }
        }
    }

    func bits(cts: UInt8, dsr: UInt8, ri: UInt8, dcd: UInt8) -> UInt8 {
        (isCTS ? cts : 0) | (isDSR ? dsr : 0) | (isRI ? ri : 0) | (isDCD ? dcd : 0)
    }
}
