/// A device that sends back what it receives. `after MS` of the bus and `line HEX` of the chip make it say more.
public final class EchoFirmware: SerialFirmware {
    /// How many bytes it has received since it was plugged in.
    public private(set) var received = 0

    private let leavesAfter: Int?

    /// - Parameter leavesAfter: with the byte that makes so many it leaves instead of answering.
    public init(leavesAfter: Int? = nil) {
        self.leavesAfter = leavesAfter
    }

    public func receive(_ bytes: [UInt8], at now: Duration) -> [SerialEffect] {
        received += bytes.count
        if let leavesAfter, received >= leavesAfter { return [.unplug] }
        return [.bytes(bytes)]
    }

    public var nextDue: Duration? { nil }

    public func advance(to now: Duration) -> [SerialEffect] { [] }

    public func powerCycled() { received = 0 }

    public func steer(_ command: String, at now: Duration) -> (complaint: String?, effects: [SerialEffect]) {
        ("the echo does not understand '\(command)'", [])
    }
}
