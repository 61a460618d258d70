public import Transport

/// A speed that a chip really makes: clock over divisor, exact.
public struct ChipRate: Sendable, Hashable {
    /// Clock, Hz, times whatever makes the divisor whole.
    public let clock: UInt64
    /// Never 0.
    public let divisor: UInt64

    init(clock: UInt64, divisor: UInt64) {
        self.clock = clock
        self.divisor = max(divisor, 1)
    }

    /// Both ends of a line together may be 5 % apart over a character of ten bits before its last bit is misread; 3 %
    /// leaves the other end its share.
    public static let tolerance = 3

    /// To the nearest whole number, at least 1.
    public var rounded: BaudRate {
        BaudRate(UInt32(clamping: (clock + divisor / 2) / divisor)) ?? .b9600
    }

    /// How far it is from `wanted`, times `divisor`.
    private func distance(from wanted: BaudRate) -> UInt64 {
        let (product, overflow) = UInt64(wanted.bitsPerSecond).multipliedReportingOverflow(by: divisor)
        guard !overflow else { return .max }
        return product > clock ? product - clock : clock - product
    }

    public func isClose(to wanted: BaudRate) -> Bool {
        let (scaled, tooFar) = distance(from: wanted).multipliedReportingOverflow(by: 100)
        let (limit, overflow) = UInt64(wanted.bitsPerSecond).multipliedReportingOverflow(
            by: divisor * UInt64(Self.tolerance))
        return !tooFar && !overflow && scaled <= limit
    }

    /// Which of two rates with the same clock is nearer to `wanted`.
    func isNearer(to wanted: BaudRate, than other: ChipRate) -> Bool {
        let mine = distance(from: wanted).multipliedReportingOverflow(by: other.divisor)
        let others = other.distance(from: wanted).multipliedReportingOverflow(by: divisor)
        return !mine.overflow && (others.overflow || mine.partialValue < others.partialValue)
    }

    /// The rate itself when it is close enough to be used.
    func checked(for wanted: BaudRate, on chip: String) throws(SerialChipRefusal) -> ChipRate {
        guard isClose(to: wanted) else {
            throw SerialChipRefusal(
                "\(chip) cannot make \(wanted.bitsPerSecond) baud: the nearest it has is \(rounded.bitsPerSecond), "
                    + "more than \(Self.tolerance) % off")
        }
        return self
    }
}

extension BaudRate {
    func require(_ range: ClosedRange<UInt32>, on chip: String) throws(SerialChipRefusal) {
        guard range.contains(bitsPerSecond) else {
            throw SerialChipRefusal(
                "\(chip) cannot make \(bitsPerSecond) baud: it has \(range.lowerBound) to \(range.upperBound)")
        }
    }

    /// Four bytes, the lowest first.
    var littleEndian: [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: bitsPerSecond >> ($0 * 8)) }
    }
}
