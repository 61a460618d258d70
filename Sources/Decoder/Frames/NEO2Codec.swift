import EMV
import JSONText
import ReaderWire

/// Frames of ID TECH's NEO2 protocol.
struct NEO2Codec: FrameCodec {
    let protocolName = "neo2"
    var longestChecked: Int? { format.longestFrame }
    private let format = FrameFormat.neo2(NEO2FrameFormat(checkOrder: .either))
    /// The command that waits for its answer.
    private var pending: UInt8?

    func isLikely(_ head: [UInt8]) -> Bool {
        format.begins(head) || head.prefix(1024).firstRange(of: NEO2FrameFormat.header) != nil
    }

    func match(_ bytes: Span<UInt8>, at place: Int, isAtEnd: Bool) -> FrameMatch {
        FrameMatch(format.candidate(in: bytes, at: place), at: place, count: bytes.count, isAtEnd: isAtEnd)
    }

    mutating func describe(_ frame: Span<UInt8>) -> FrameDescription {
        if frame[0] == 0x45 { return event(frame) }
        guard let parsed = NEO2Frame(parsing: frame) else {
            let size = 16 + Int(frame[12]) << 8 + Int(frame[13])
            let name = NEO2Command.family(frame[10]) ?? "unknown"
            var description = FrameDescription.damaged(name, .response, frame, data: 14, size: size)
            description.fields = [.init("command", byteText(frame[10])), .init("second", byteText(frame[11]))]
            return description
        }
        let data = 14..<frame.count - 2
        if isCommand(parsed) {
            pending = parsed.command
            return command(parsed, data)
        }
        if !parsed.status.isInterim { pending = nil }
        return response(parsed, data)
    }

    /// Responses have the CRC's high byte first, and so have some commands.
    private func isCommand(_ frame: NEO2Frame) -> Bool {
        if frame.checkOrder == .lowFirst { return true }
        return pending != frame.command && frame.second != 0 && frame.asCommand.isSeenHighFirst
    }

    private func command(_ frame: NEO2Frame, _ data: Range<Int>) -> FrameDescription {
        var description = FrameDescription(
            direction: .command, name: frame.asCommand.name ?? "unknown",
            fields: [.init("command", byteText(frame.command)), .init("subCommand", byteText(frame.second))],
            data: data)
        description.isSecret = NEO2Command.isSecret(frame.command)
        if DataObjects.areSound(frame.data.span, 0..<frame.data.count) {
            description.objects = data
            return description
        }
        let head: Int
        switch (frame.command, frame.second) {
        case (0x02, 0x01), (0x02, 0x40):
            head = 1
            if let timeout = frame.data.first { description.fields.append(.init("timeout", .integer(Int64(timeout)))) }
        case (0x60, 0x10): head = 5
        default: head = 0
        }
        if head > 0, frame.data.count > head, DataObjects.areSound(frame.data.span, head..<frame.data.count) {
            description.objects = data.lowerBound + head..<data.upperBound
        }
        return description
    }

    private func response(_ frame: NEO2Frame, _ data: Range<Int>) -> FrameDescription {
        var description = FrameDescription(
            direction: .response, name: NEO2Command.family(frame.command) ?? "unknown",
            fields: [
                .init("command", byteText(frame.command)), .init("status", byteText(frame.second)),
                .init("meaning", .string(frame.status.name)),
            ], data: data)
        description.isSecret = NEO2Command.isSecret(frame.command)
        if let result = NEO2Result(frame.data) {
            description.objects = data.lowerBound + result.objects.lowerBound..<data.upperBound
            if let attribution = result.attribution {
                description.fields.append(
                    .init(
                        "attribution",
                        .object([
                            "value": byteText(attribution.rawValue),
                            "interface": .string(attribution.interface.rawValue),
                            "cipher": .optional(attribution.cipher),
                            "encryptsStripe": .bool(attribution.encryptsStripe),
                            "encryptsEMV": .bool(attribution.encryptsEMV),
                        ])))
            }
            if let masked = NEO2Result.maskedPAN(frame.data, result.objects) {
                description.fields.append(.init("maskedPan", .string(masked.text)))
                description.cardEnd = masked.lastFour
            }
        } else if [0x12, 0x29].contains(frame.command), let text = printableText(frame.data) {
            description.fields.append(.init("text", text))
        }
        return description
    }

    private func event(_ frame: Span<UInt8>) -> FrameDescription {
        guard let parsed = NEO2EventFrame(parsing: frame) else {
            return .damaged("event", .event, frame, data: 5, size: 7 + Int(frame[3]) << 8 + Int(frame[4]))
        }
        let events = parsed.events.map { event in
            JSONValue.object([
                "type": byteText(event.type), "value": byteText(event.value),
                "parameters": .string(hexText(event.parameters)),
                "text": event.type == 0x01
                    ? .string("LED \(event.value >> 4) \(event.value & 0x0F == 0 ? "off" : "on")") : .null,
            ])
        }
        return FrameDescription(
            direction: .event, name: "event", fields: [.init("events", .array(events))], data: 5..<frame.count - 2)
    }
}
