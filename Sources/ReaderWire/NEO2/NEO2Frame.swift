/// A command or a response of the NEO2 protocol. Both have the same shape; the sub-command of the one stands where the
/// status of the other does.
public struct NEO2Frame: Sendable, Hashable {
    /// The order of the CRC's two bytes.
    public enum CheckOrder: Sendable, Hashable {
        case lowFirst, highFirst
    }

    public var command: UInt8
    /// The sub-command of a command, the status of a response.
    public var second: UInt8
    /// At most 65,535 bytes; what is beyond is not sent.
    public var data: [UInt8]
    public var checkOrder: CheckOrder

    public init(command: UInt8, second: UInt8, data: [UInt8] = [], checkOrder: CheckOrder) {
        self.command = command
        self.second = second
        self.data = data
        self.checkOrder = checkOrder
    }

    /// A command as a host sends it: low byte first, and high byte first for pass-through commands.
    public init(_ command: NEO2Command, data: [UInt8] = []) {
        self.init(
            command: command.code, second: command.subCommand, data: data,
            checkOrder: command.code == NEO2Command.passThroughCode ? .highFirst : .lowFirst)
    }

    /// A response as a reader sends it.
    public init(answering command: UInt8, _ status: NEO2Status, data: [UInt8] = []) {
        self.init(command: command, second: status.rawValue, data: data, checkOrder: .highFirst)
    }

    public var status: NEO2Status { NEO2Status(rawValue: second) }
    public var asCommand: NEO2Command { NEO2Command(code: command, subCommand: second) }

    /// The frame with its header and CRC.
    public var bytes: [UInt8] {
        let length = min(data.count, 0xFFFF)
        var bytes = NEO2FrameFormat.header
        bytes.reserveCapacity(NEO2FrameFormat.overhead + length)
        bytes += [command, second, UInt8(length >> 8), UInt8(length & 0xFF)]
        bytes += data.prefix(length)
        let crc = CheckBytes.crc16(bytes.span)
        let ordered = checkOrder == .highFirst ? crc : crc.byteSwapped
        bytes += [UInt8(ordered >> 8), UInt8(ordered & 0xFF)]
        return bytes
    }

    /// Takes a whole frame apart, as a deframer delivers it. Nil for anything else, such as an event or a wrong CRC.
    public init?(parsing bytes: Span<UInt8>) {
        let format = NEO2FrameFormat(checkOrder: .either, longestData: 0xFFFF)
        guard !bytes.isEmpty, bytes[0] == 0x56,
            format.candidate(in: bytes, at: 0) == .frame(length: bytes.count, isGood: true)
        else { return nil }
        let crc = CheckBytes.crc16(bytes.extracting(0..<bytes.count - 2))
        let isHighFirst = bytes[bytes.count - 2] == UInt8(crc >> 8) && bytes[bytes.count - 1] == UInt8(crc & 0xFF)
        self.init(
            command: bytes[10], second: bytes[11], data: bytes.extracting(14..<bytes.count - 2).array,
            checkOrder: isHighFirst ? .highFirst : .lowFirst)
    }

    public init?(parsing bytes: [UInt8]) { self.init(parsing: bytes.span) }
}

/// What a reader tells unasked (45 00 55): lights, sounds, texts.
public struct NEO2EventFrame: Sendable, Hashable {
    public struct Event: Sendable, Hashable {
        /// 01 for a light; the others are not published.
        public var type: UInt8
        /// For a light: its number in the high half, 1 for on in the low one.
        public var value: UInt8
        public var parameters: [UInt8]

        /// - Parameter parameters: two bytes.
        public init(type: UInt8, value: UInt8, parameters: [UInt8] = [0, 0]) {
            self.type = type
            self.value = value
            self.parameters = Array((parameters + [0, 0]).prefix(2))
        }
    }

    public var events: [Event]

    public init(events: [Event]) {
        self.events = events
    }

    public init?(parsing bytes: Span<UInt8>) {
        guard !bytes.isEmpty, bytes[0] == 0x45,
            NEO2FrameFormat().candidate(in: bytes, at: 0) == .frame(length: bytes.count, isGood: true)
        else { return nil }
        events = stride(from: 5, to: bytes.count - 2, by: 4).map { place in
            Event(type: bytes[place], value: bytes[place + 1], parameters: [bytes[place + 2], bytes[place + 3]])
        }
    }

    public init?(parsing bytes: [UInt8]) { self.init(parsing: bytes.span) }

    /// At most 64 events are sent.
    public var bytes: [UInt8] {
        let sent = events.prefix(NEO2FrameFormat.longestEventData / 4)
        var bytes = NEO2FrameFormat.eventHeader + [UInt8(sent.count >> 6), UInt8(truncatingIfNeeded: sent.count * 4)]
        for event in sent { bytes += [event.type, event.value] + event.parameters }
        let crc = CheckBytes.crc16(bytes.span)
        return bytes + [UInt8(crc >> 8), UInt8(crc & 0xFF)]
    }
}
