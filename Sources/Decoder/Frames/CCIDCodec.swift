import EMV
import JSONText
import ReaderWire

/// Messages of USB CCID readers (CCID 1.1, 6): ten bytes of header, data, no check byte. A frame is known by its type
/// and by header bytes that the standard fixes.
struct CCIDCodec: FrameCodec {
    let protocolName = "ccid"
    let longestChecked: Int? = nil
    /// Header, and an extended APDU with its header and length.
    private static let longest = 65_536 + 32
    /// The last command, which tells whether a data block is an ATR or the card's answer.
    private var lastCommand: UInt8 = 0

    func isLikely(_ head: [UInt8]) -> Bool {
        let bytes = head.span
        guard case .frame(let length, true) = match(bytes, at: 0, isAtEnd: true) else { return false }
        if length == bytes.count { return length >= 10 }
        return length < bytes.count && Self.isType(bytes[length])
    }

    func match(_ bytes: Span<UInt8>, at place: Int, isAtEnd: Bool) -> FrameMatch {
        let left = bytes.count - place
        guard left > 0, Self.isType(bytes[place]) else { return .noise }
        if left < 10, !isAtEnd { return .needsMore(upTo: place + 10) }
        let type = bytes[place]
        if type == 0x50 || type == 0x51 { return matchNotification(bytes, at: place) }
        guard left >= 10, isPlausible(bytes.extracting(place..<place + 10)) else { return .noise }
        let length = 10 + Self.dataLength(bytes.extracting(place..<place + 10))
        if length <= left { return .frame(length: length, isGood: true) }
        return isAtEnd ? .frame(length: left, isGood: false) : .needsMore(upTo: place + length)
    }

    mutating func describe(_ frame: Span<UInt8>) -> FrameDescription {
        let type = frame[0]
        switch type {
        case 0x50: return slotChange(frame)
        case 0x51:
            return FrameDescription(
                direction: .event, name: "RDR_to_PC_HardwareError",
                fields: [number("slot", frame[1]), number("sequence", frame[2]), number("errorCode", frame[3])],
                data: frame.count..<frame.count)
        case 0x80...0x84: return response(frame)
        default: return command(frame)
        }
    }

    private mutating func command(_ frame: Span<UInt8>) -> FrameDescription {
        var description = FrameDescription(
            direction: .command, name: Self.names[frame[0]] ?? "unknown",
            fields: [number("slot", frame[5]), number("sequence", frame[6])], data: 10..<frame.count)
        lastCommand = frame[0]
        switch frame[0] {
        case 0x62:
            let voltages = ["automatic", "5 V", "3 V", "1.8 V"]
            description.fields.append(.init("power", .string(voltages[Int(frame[7] & 3)])))
        case 0x6F:
            description.fields.append(number("waitingMultiplier", frame[7]))
            description.fields.append(.init("level", .integer(Int64(frame[8]) | Int64(frame[9]) << 8)))
            let inner = Self.cardBytes(frame, 10..<frame.count)
            if inner.count >= 4 {
                let (cla, ins) = (frame[inner.lowerBound], frame[inner.lowerBound + 1])
                if let name = CommandName.name(cla: cla, ins: ins) {
                    description.fields.append(.init("apdu", .string(name)))
                }
                description.isSecret = CommandName.isSecret(ins: ins)
            }
        case 0x69: description.isSecret = true
        default: break
        }
        checkLength(frame, &description)
        return description
    }

    private mutating func response(_ frame: Span<UInt8>) -> FrameDescription {
        let status = CCIDSlotStatus(byte: frame[7])
        var description = FrameDescription(
            direction: .response, name: Self.names[frame[0]] ?? "unknown",
            fields: [
                number("slot", frame[5]), number("sequence", frame[6]), .init("card", .string(status.card.name)),
                .init("status", .string(status.command.name)),
            ], data: 10..<frame.count)
        switch status.command {
        case .failed:
            description.fields.append(.init("error", .string(CCIDSlotError(frame[8]).name)))
        case .timeExtension:
            description.fields.append(number("timeMultiplier", frame[8]))
        default: break
        }
        if frame[0] == 0x80, frame.count > 10, status.command == .succeeded {
            if lastCommand == 0x62 {
                description.fields.append(.init("content", "ATR"))
            } else {
                answer(frame, &description)
            }
        }
        checkLength(frame, &description)
        return description
    }

    /// The card's answer: data objects, then the status word.
    private func answer(_ frame: Span<UInt8>, _ description: inout FrameDescription) {
        let inner = Self.cardBytes(frame, 10..<frame.count)
        guard inner.count >= 2 else { return }
        let word = StatusWord(UInt16(frame[inner.upperBound - 2]) << 8 | UInt16(frame[inner.upperBound - 1]))
        guard word.isValid else { return }
        description.fields.append(.init("statusWord", .string(word.description)))
        description.fields.append(.init("meaning", .string(StatusWordName.name(word))))
        if inner.count > 2, Self.beginsObject(frame[inner.lowerBound]) {
            description.objects = inner.lowerBound..<inner.upperBound - 2
        }
    }

    private func slotChange(_ frame: Span<UInt8>) -> FrameDescription {
        var slots: [JSONValue] = []
        for slot in 0..<4 where slot == 0 || frame[1] >> UInt8(slot * 2) != 0 {
            let bits = frame[1] >> UInt8(slot * 2)
            slots.append(
                .object([
                    "slot": .integer(Int64(slot)), "present": .bool(bits & 1 != 0), "changed": .bool(bits & 2 != 0),
                ]))
        }
        return FrameDescription(
            direction: .event, name: "RDR_to_PC_NotifySlotChange", fields: [.init("slots", .array(slots))], data: 2..<2)
    }

    private func checkLength(_ frame: Span<UInt8>, _ description: inout FrameDescription) {
        let stated = Self.dataLength(frame.extracting(0..<10))
        if stated > frame.count - 10 {
            description.fault = "the frame says \(stated) bytes of data and has \(frame.count - 10)"
        }
    }

    private func number(_ name: String, _ value: UInt8) -> JSONValue.Member {
        .init(name, .integer(Int64(value)))
    }

    /// Event messages are short and have no header: believed only when the input ends or goes on with a known type.
    private func matchNotification(_ bytes: Span<UInt8>, at place: Int) -> FrameMatch {
        let length = bytes[place] == 0x50 ? 2 : 4
        guard place + length <= bytes.count, length == 4 || bytes[place + 1] & 0xF0 == 0 else { return .noise }
        guard place + length == bytes.count || Self.isType(bytes[place + length]) else { return .noise }
        return .frame(length: length, isGood: true)
    }

    private func isPlausible(_ header: Span<UInt8>) -> Bool {
        let length = Self.dataLength(header)
        guard length <= Self.longest, header[5] < 16 else { return false }
        let isZero = header[7] == 0 && header[8] == 0 && header[9] == 0
        switch header[0] {
        case 0x61: return (length == 5 || length == 7) && header[7] <= 1
        case 0x62: return length == 0 && header[7] <= 3 && header[8] == 0 && header[9] == 0
        case 0x63, 0x65, 0x6C, 0x6D, 0x72: return length == 0 && isZero
        case 0x6E, 0x71: return length == 0 && header[8] == 0 && header[9] == 0
        case 0x6A: return length == 0
        case 0x73: return length == 8 && isZero
        case 0x6B: return isZero
        case 0x69, 0x6F: return length > 0 && (header[9] == 0 || header[8] < 4)
        case 0x81: return length == 0 && isStatus(header[7])
        case 0x82: return length <= 7 && isStatus(header[7])
        case 0x84: return (length == 8 || length == 0) && isStatus(header[7])
        default: return isStatus(header[7])
        }
    }

    private func isStatus(_ byte: UInt8) -> Bool { byte & 0x3C == 0 && byte & 0x03 != 3 && byte & 0xC0 != 0xC0 }

    static func isType(_ byte: UInt8) -> Bool { names[byte] != nil }

    /// dwLength.
    static func dataLength(_ header: Span<UInt8>) -> Int {
        Int(header[1]) | Int(header[2]) << 8 | Int(header[3]) << 16 | Int(header[4]) << 24
    }

    /// Whether a response begins with a tag of the templates and objects that cards answer with.
    static func beginsObject(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x6F, 0x70, 0x77, 0x80, 0x61, 0x62, 0x9F, 0xBF, 0x5F, 0xA5: true
        default: false
        }
    }

    /// The bytes of the card within a T=1 block, or all of them.
    static func cardBytes(_ frame: Span<UInt8>, _ data: Range<Int>) -> Range<Int> {
        guard data.count >= 4, Int(frame[data.lowerBound + 2]) == data.count - 4 else { return data }
        var check: UInt8 = 0
        for place in data { check ^= frame[place] }
        return check == 0 ? data.lowerBound + 3..<data.upperBound - 1 : data
    }

    private static let names: [UInt8: String] = [
        0x61: "PC_to_RDR_SetParameters", 0x62: "PC_to_RDR_IccPowerOn", 0x63: "PC_to_RDR_IccPowerOff",
        0x65: "PC_to_RDR_GetSlotStatus", 0x69: "PC_to_RDR_Secure", 0x6A: "PC_to_RDR_T0APDU",
        0x6B: "PC_to_RDR_Escape", 0x6C: "PC_to_RDR_GetParameters", 0x6D: "PC_to_RDR_ResetParameters",
        0x6E: "PC_to_RDR_IccClock", 0x6F: "PC_to_RDR_XfrBlock", 0x71: "PC_to_RDR_Mechanical",
        0x72: "PC_to_RDR_Abort", 0x73: "PC_to_RDR_SetDataRateAndClockFrequency", 0x80: "RDR_to_PC_DataBlock",
        0x81: "RDR_to_PC_SlotStatus", 0x82: "RDR_to_PC_Parameters", 0x83: "RDR_to_PC_Escape",
        0x84: "RDR_to_PC_DataRateAndClockFrequency", 0x50: "RDR_to_PC_NotifySlotChange",
        0x51: "RDR_to_PC_HardwareError",
    ]
}
