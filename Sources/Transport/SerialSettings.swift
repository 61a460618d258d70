/// How a serial line sends characters: speed, format, flow control. Every implementation of `SerialLine` takes all of
/// it and tells what the line has kept.
public struct SerialSettings: Sendable, Hashable {
    public enum DataBits: UInt8, Sendable, Hashable, CaseIterable {
        case five = 5
        case six, seven, eight
    }

    public enum Parity: String, Sendable, Hashable, CaseIterable {
        case none, even, odd
        /// The parity bit is always 1.
        case mark
        /// The parity bit is always 0.
        case space
    }

    public enum StopBits: UInt8, Sendable, Hashable, CaseIterable {
        case one = 1
        case two
    }

    public enum FlowControl: String, Sendable, Hashable, CaseIterable {
        case none
        /// The lines RTS and CTS.
        case rtscts
        /// The characters XON (11) and XOFF (13), which then cannot be data.
        case xonxoff
    }

    public var baud: BaudRate
    public var dataBits: DataBits
    public var parity: Parity
    public var stopBits: StopBits
    public var flow: FlowControl

    public init(
        baud: BaudRate, dataBits: DataBits = .eight, parity: Parity = .none, stopBits: StopBits = .one,
        flow: FlowControl = .none
    ) {
        self.baud = baud
        self.dataBits = dataBits
        self.parity = parity
        self.stopBits = stopBits
        self.flow = flow
    }

    /// How long `count` characters take on the line: start bit, data, parity, stop.
    public func duration(ofCharacters count: Int) -> Duration {
        let bits = 1 + Int(dataBits.rawValue) + (parity == .none ? 0 : 1) + Int(stopBits.rawValue)
        let (total, overflow) = count.multipliedReportingOverflow(by: bits * 1_000_000)
        return .microseconds(overflow ? Int.max : total / Int(baud.bitsPerSecond))
    }
}

extension SerialSettings: CustomStringConvertible {
    /// "115200 8N1", with the flow control behind it when there is one.
    public var description: String {
        let letter = parity.rawValue.prefix(1).uppercased()
        let format = "\(baud.bitsPerSecond) \(dataBits.rawValue)\(letter)\(stopBits.rawValue)"
        return flow == .none ? format : format + " \(flow.rawValue)"
    }
}

/// The speed of a line, bits per second; never 0, which on Unix means "hang up".
public struct BaudRate: Sendable, Hashable {
    public let bitsPerSecond: UInt32

    /// Nil for 0.
    public init?(_ bitsPerSecond: UInt32) {
        guard bitsPerSecond > 0 else { return nil }
        self.bitsPerSecond = bitsPerSecond
    }

    private init(known bitsPerSecond: UInt32) {
        self.bitsPerSecond = bitsPerSecond
    }

    /// Whether two ends of a line, one at each of these speeds, understand each other: at most 3 % apart. A chip that
    /// divides a clock makes 115385 of 115200.
    public func isNear(_ other: BaudRate) -> Bool {
        let (mine, others) = (UInt64(bitsPerSecond), UInt64(other.bitsPerSecond))
        return (mine > others ? mine - others : others - mine) * 100 <= 3 * others
    }

    public static let b9600 = BaudRate(known: 9600)
    public static let b19200 = BaudRate(known: 19_200)
    public static let b38400 = BaudRate(known: 38_400)
    public static let b57600 = BaudRate(known: 57_600)
    public static let b115200 = BaudRate(known: 115_200)
}
