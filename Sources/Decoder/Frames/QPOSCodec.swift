import EMV
import JSONText
import ReaderWire

/// Frames of DSpread's QPOS protocol.
struct QPOSCodec: FrameCodec {
    let protocolName = "qpos"
    var longestChecked: Int? { format.longestFrame }
    private let format = FrameFormat.qpos
    /// The parts (36) of the answer under way.
    private var parts = JoinedParts()

    func isLikely(_ head: [UInt8]) -> Bool { format.begins(head) }

    func match(_ bytes: Span<UInt8>, at place: Int, isAtEnd: Bool) -> FrameMatch {
        FrameMatch(format.candidate(in: bytes, at: place), at: place, count: bytes.count, isAtEnd: isAtEnd)
    }

    mutating func describe(_ frame: Span<UInt8>) -> FrameDescription {
        guard let parsed = QPOSFrame(parsing: frame) else {
            let size = 4 + Int(frame[1]) << 8 + Int(frame[2])
            let isCommand = QPOSFrame.Request(rawValue: frame[3]) != nil
            let name = QPOSCommand(code: frame[4], subCode: frame[5]).name ?? "unknown"
            return .damaged(name, isCommand ? .command : .response, frame, data: 9, size: size)
        }
        let data = 9..<frame.count - 1
        return parsed.isFromHost ? command(parsed, data) : response(parsed, data)
    }

    private mutating func command(_ frame: QPOSFrame, _ data: Range<Int>) -> FrameDescription {
        let name: String =
            switch QPOSFrame.Request(rawValue: frame.id) {
            case .reset: "reset"
            case .query: "query"
            case .nextPart: "next part"
            case .userCancel: "user cancel"
            default: frame.asCommand.name ?? "unknown"
            }
        var description = FrameDescription(
            direction: .command, name: name,
            fields: [
                .init("id", byteText(frame.id)), .init("command", byteText(frame.command)),
                .init("subCommand", byteText(frame.subCommand)),
                .init("timeout", .integer(Int64(frame.timeoutOrResult))),
            ], data: data)
        description.isSecret = frame.asCommand.isSecret
        guard frame.id == QPOSFrame.Request.command.rawValue else { return description }
        switch frame.asCommand {
        case .onlineResult: description.objects = data.isEmpty ? nil : data
        case .chipAPDU, .nfcAPDU:
            guard frame.data.count >= 4 else { break }
            if let apdu = CommandName.name(cla: frame.data[0], ins: frame.data[1]) {
                description.fields.append(.init("apdu", .string(apdu)))
            }
            description.isSecret = CommandName.isSecret(ins: frame.data[1])
        default: break
        }
        return description
    }

    private mutating func response(_ frame: QPOSFrame, _ data: Range<Int>) -> FrameDescription {
        var description = FrameDescription(
            direction: .response, name: frame.asCommand.name ?? "unknown",
            fields: [
                .init("status", byteText(frame.id)), .init("meaning", .string(frame.status.name)),
                .init("command", byteText(frame.command)), .init("subCommand", byteText(frame.subCommand)),
                .init("result", byteText(frame.timeoutOrResult)),
            ], data: data)
        description.isSecret = frame.asCommand.isSecret
        switch frame.status.demand {
        case .query: break
        case .failed: parts.removeAll()
        case .nextPart:
            parts.append(frame.data)
            description.isSecret = description.isSecret || parts.mustHide
        case .done:
            if parts.isEmpty {
                describe(frame, frame.data, &description)
                description.objects = description.joined.map {
                    $0.objects.lowerBound + data.lowerBound..<$0.objects.upperBound + data.lowerBound
                }
                description.joined = nil
            } else {
                parts.append(frame.data)
                description.isSecret = description.isSecret || parts.mustHide
                describe(frame, parts.bytes, &description)
                parts.removeAll()
            }
        }
        return description
    }

    /// What a whole answer says.
    private func describe(_ frame: QPOSFrame, _ data: [UInt8], _ description: inout FrameDescription) {
        switch frame.asCommand {
        case .startTrade:
            guard let card = QPOSCardData(parsing: data) else { return }
            description.fields.append(.init("cardState", .string(card.cardState.name)))
            if let masked = card.maskedPAN {
                description.fields.append(.init("maskedPan", .string(masked.text)))
                description.cardEnd = masked.lastFour
            }
            if let number = card.trackKeySerialNumber {
                description.fields.append(.init("ksn", .string(hexText(number))))
            }
            // Expiry date, name, tracks and PIN block.
            description.isSecret = !card.fields.isEmpty
        case .startEMV, .selectApplication, .onlineResult:
            if frame.timeoutOrResult == QPOSApplicationChoice.result, let choice = QPOSApplicationChoice(parsing: data)
            {
                let names = choice.names.map { printableText($0) ?? .string(hexText($0)) }
                description.fields.append(.init("applications", .array(names)))
            } else if let result = QPOSEMVResult(parsing: data) {
                description.fields.append(.init("outcome", .string(Self.name(result.outcome))))
                description.fields.append(.init("kind", byteText(result.kind)))
                description.fields.append(.init("encryptionMode", byteText(result.encryptionMode)))
                if result.isClear { description.joined = (data, result.objects) }
            }
        case .getICCTags:
            if DataObjects.areSound(data.span, 0..<data.count) { description.joined = (data, 0..<data.count) }
        case .chipAPDU, .nfcAPDU:
            guard data.count >= 2 else { return }
            let word = StatusWord(UInt16(data[data.count - 2]) << 8 | UInt16(data[data.count - 1]))
            guard word.isValid else { return }
            description.fields.append(.init("statusWord", .string(word.description)))
            description.fields.append(.init("statusText", .string(StatusWordName.name(word))))
            if data.count > 2, CCIDCodec.beginsObject(data[0]) { description.joined = (data, 0..<data.count - 2) }
        default: break
        }
    }

    private static func name(_ outcome: QPOSEMVResult.Outcome) -> String {
        switch outcome {
        case .accepted: "accepted"
        case .denied: "denied"
        case .goOnline: "go online"
        case .other(let byte): "outcome \(byte)"
        }
    }
}
