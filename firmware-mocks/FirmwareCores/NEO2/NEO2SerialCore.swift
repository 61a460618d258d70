/// A NEO2 reader on a serial line or CDC-ACM: messages one after another.
public final class NEO2SerialCore: SerialFirmware {
    public let firmware: NEO2Firmware
    private var waiting: [UInt8] = []

    /// The options of `NEO2HIDCore.make`.
    public static func make(options words: [String: String] = [:]) throws(CoreOptionError) -> NEO2SerialCore {
        NEO2SerialCore(try NEO2Firmware.make(words, link: .stream))
    }

    private init(_ firmware: NEO2Firmware) {
        self.firmware = firmware
    }

    public func receive(_ bytes: [UInt8], at now: Duration) -> [SerialEffect] {
        waiting += bytes
        var effects: [SerialEffect] = []
        while let command = NEO2Message.takeCommand(from: &waiting) { effects += firmware.handle(command, at: now) }
        return effects
    }

    public var nextDue: Duration? { firmware.nextDue }

    public func advance(to now: Duration) -> [SerialEffect] { firmware.advance(to: now) }

    public func powerCycled() {
        waiting = []
        firmware.powerCycled()
    }

    public func steer(_ command: String, at now: Duration) -> (complaint: String?, effects: [SerialEffect]) {
        firmware.steer(command, at: now)
    }
}
