/// NEO2 messages in USB HID reports of 64 bytes: a report id and 63 bytes, filled with zeros.
public enum NEO2Report {
    public static let length = 64
    /// The only report of a message.
    public static let single: UInt8 = 0x01
    public static let first: UInt8 = 0x02
    public static let middle: UInt8 = 0x03
    public static let last: UInt8 = 0x04

    /// The reports of a message, in order.
    public static func pack(_ message: [UInt8]) -> [[UInt8]] {
        let room = length - 1
        let count = max(1, (message.count + room - 1) / room)
        return (0..<count).map { index in
            let part = message[min(index * room, message.count)..<min((index + 1) * room, message.count)]
            let id = count == 1 ? single : index == 0 ? first : index == count - 1 ? last : middle
            return [id] + part + [UInt8](repeating: 0, count: room - part.count)
        }
    }
}

/// Puts messages together from HID reports. A message is cut by the length in its header, never by its zeros: a CRC may
/// end in 00. Keeps at most one message.
public struct NEO2ReportAssembler: Sendable {
    public enum Event: Sendable, Hashable {
        /// A whole message; `isGood` when its CRC is right.
        case message([UInt8], isGood: Bool)
        /// So many bytes are given up: of an unfinished message when another begins, or of a report that begins none.
        case dropped(count: Int, reason: NoiseReason)
    }

    private let format: NEO2FrameFormat
    private var buffer: [UInt8] = []
    private var needed = 0

    public init(_ format: NEO2FrameFormat = NEO2FrameFormat()) {
        self.format = format
    }

    public var heldCount: Int { buffer.count }

    /// Takes one report.
    /// - Parameter report: with its id, also when it is shorter than 64 bytes.
    public mutating func feed(_ report: [UInt8]) -> [Event] {
        guard let id = report.first else { return [] }
        var events: [Event] = []
        switch id {
        case NEO2Report.single, NEO2Report.first:
            if !buffer.isEmpty { events.append(drop(.cut)) }
            buffer = Array(report.dropFirst())
        case NEO2Report.middle, NEO2Report.last:
            guard !buffer.isEmpty else { return [.dropped(count: report.count, reason: .noStart)] }
            buffer += report.dropFirst().prefix(needed - buffer.count)
        default:
            return [.dropped(count: report.count, reason: .badHeader)]
        }
        guard !buffer.isEmpty else { return events }
        switch format.candidate(in: buffer.span, at: 0) {
        case .frame(let length, let isGood):
            events.append(.message(Array(buffer[..<length]), isGood: isGood))
            buffer = []
        case .incomplete(let count, _):
            needed = count
            // A long message may begin with id 01 as well: its length tells.
            if id == NEO2Report.last { events.append(drop(.cut)) }
        case .noise(let reason):
            events.append(drop(reason))
        }
        return events
    }

    /// Forgets an unfinished message.
    public mutating func reset() { buffer = [] }

    private mutating func drop(_ reason: NoiseReason) -> Event {
        defer { buffer = [] }
        return .dropped(count: buffer.count, reason: reason)
    }
}
