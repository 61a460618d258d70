import FirmwareCores

/// Drives a CCID core directly: a message in, the bulk answers out, with time in the caller's hand.
final class CCIDHost {
    let core: CCIDReaderCore
    var now = Duration.zero
    private(set) var notifications: [String] = []
    private(set) var others: [FirmwareEffect] = []

    init(_ options: [String: String] = [:]) throws {
        core = try CCIDReaderCore.make(options: options)
    }

    /// Hexadecimal of every bulk answer that comes at once.
    func send(_ message: [UInt8]) -> [String] {
        collect(core.out(message, to: 0x02, at: now))
    }

    func send(_ message: String) -> [String] { send(hex(message)) }

    /// XfrBlock with the right length.
    func transfer(_ data: [UInt8], sequence: UInt8 = 0, level: UInt16 = 0) -> [String] {
        let size = UInt32(data.count)
        let length = (0..<4).map { UInt8(truncatingIfNeeded: size >> UInt32(8 * $0)) }
        return send([0x6F] + length + [0, sequence, 0, UInt8(level & 0xFF), UInt8(level >> 8)] + data)
    }

    /// The data of the single answer, without its header.
    func exchange(_ data: String) -> String {
        let answers = transfer(hex(data))
        return answers.count == 1 ? String(answers[0].dropFirst(20)) : "\(answers.count) answers"
    }

    func steer(_ command: String) -> String? {
        let (complaint, effects) = core.steer(command, at: now)
        _ = collect(effects)
        return complaint
    }

    func advance(_ time: Duration) -> [String] {
        now += time
        return collect(core.advance(to: now))
    }

    func takeNotifications() -> [String] {
        defer { notifications = [] }
        return notifications
    }

    func takeOthers() -> [FirmwareEffect] {
        defer { others = [] }
        return others
    }

    private func collect(_ effects: [FirmwareEffect]) -> [String] {
        effects.compactMap { effect in
            switch effect {
            case .data(0x82, let bytes, _): return text(bytes)
            case .data(_, let bytes, _): notifications.append(text(bytes))
            default: others.append(effect)
            }
            return nil
        }
    }
}

/// A T=1 block with its LRC.
func block(_ control: UInt8, _ information: [UInt8] = []) -> [UInt8] {
    let body = [0x00, control, UInt8(information.count)] + information
    return body + [body.reduce(0, ^)]
}
