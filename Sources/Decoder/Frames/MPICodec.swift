import EMV
import JSONText
import ReaderWire

/// Packets of Miura's MPI and Verifone's VIPA.
struct MPICodec: FrameCodec {
    let protocolName = "mpi"
    var longestChecked: Int? { format.longestFrame }
    private let format = FrameFormat.mpi
    private var solicited = JoinedParts()
    private var unsolicited = JoinedParts()
    /// Of the chain under way.
    private var chainIsCommand = false
    private var lastCommand: MPICommand?

    func isLikely(_ head: [UInt8]) -> Bool { format.begins(head) }

    func match(_ bytes: Span<UInt8>, at place: Int, isAtEnd: Bool) -> FrameMatch {
        FrameMatch(format.candidate(in: bytes, at: place), at: place, count: bytes.count, isAtEnd: isAtEnd)
    }

    mutating func describe(_ frame: Span<UInt8>) -> FrameDescription {
        guard let packet = MPIPacket(parsing: frame) else {
            return .damaged("unknown", .response, frame, data: 3, size: 4 + Int(frame[2]))
        }
        var chain = packet.isUnsolicited ? unsolicited : solicited
        if chain.isEmpty, !packet.isUnsolicited { chainIsCommand = isCommand(packet) }
        let isCommand = chainIsCommand && !packet.isUnsolicited
        let isWhole = chain.isEmpty && !packet.isChained
        chain.append(packet.part)
        var description = FrameDescription(
            direction: packet.isUnsolicited ? .event : isCommand ? .command : .response,
            name: name(chain.bytes, isCommand: isCommand, isUnsolicited: packet.isUnsolicited),
            fields: [
                .init("node", .string(packet.node == .reader ? "reader" : "printer")),
                .init("chained", .bool(packet.isChained)), .init("unsolicited", .bool(packet.isUnsolicited)),
            ], data: 3..<frame.count - 1)
        if !isWhole { description.isSecret = chain.mustHide }
        if !packet.isChained {
            if isCommand {
                command(chain.bytes, &description)
            } else {
                response(chain.bytes, isUnsolicited: packet.isUnsolicited, &description)
            }
            if isWhole, let joined = description.joined {
                description.objects = joined.objects.lowerBound + 3..<joined.objects.upperBound + 3
                description.joined = nil
            }
            chain.removeAll()
        }
        if packet.isUnsolicited { unsolicited = chain } else { solicited = chain }
        return description
    }

    /// A packet does not say which way it goes: a command is known by the vendors' lists. What a file holds may look like
    /// one.
    private func isCommand(_ packet: MPIPacket) -> Bool {
        guard packet.part.count >= 4, MPICommand.name(cla: packet.part[0], ins: packet.part[1]) != nil else {
            return false
        }
        if let last = lastCommand, last.cla == 0x00, last.ins == 0xB0 { return false }
        return packet.isChained || MPICommand(parsing: packet.part) != nil
    }

    private func name(_ message: [UInt8], isCommand: Bool, isUnsolicited: Bool) -> String {
        if isCommand {
            return message.count >= 2 ? MPICommand.name(cla: message[0], ins: message[1]) ?? "unknown" : "unknown"
        }
        if message.count > 2, let template = MPIResponse.Template(rawValue: message[0]) { return template.name }
        return isUnsolicited ? "unsolicited message" : lastCommand?.name ?? "answer"
    }

    private mutating func command(_ message: [UInt8], _ description: inout FrameDescription) {
        guard let command = MPICommand(parsing: message) else { return }
        lastCommand = command
        description.fields += [
            .init("cla", byteText(command.cla)), .init("ins", byteText(command.ins)), .init("p1", byteText(command.p1)),
            .init("p2", byteText(command.p2)),
        ]
        description.isSecret = description.isSecret || command.isSecret
        objects(command.data, at: 5, in: message, &description)
    }

    private mutating func response(_ message: [UInt8], isUnsolicited: Bool, _ description: inout FrameDescription) {
        guard let response = MPIResponse(parsing: message) else { return }
        let word = [UInt8(response.statusWord >> 8), UInt8(response.statusWord & 0xFF)]
        description.fields.append(.init("statusWord", .string(hexText(word))))
        if response.isSuccess { description.fields.append(.init("meaning", "success")) }
        if let template = response.template { description.fields.append(.init("template", .string(template.name))) }
        if !isUnsolicited {
            description.isSecret = description.isSecret || lastCommand?.isSecret == true
            lastCommand = nil
        }
        objects(response.data, at: 0, in: message, &description)
    }

    /// The data objects of a message. Texts and files stand there as well, so that objects must be whole, or begin with a
    /// template.
    private func objects(_ data: [UInt8], at start: Int, in message: [UInt8], _ description: inout FrameDescription) {
        guard !description.isSecret || description.direction == .event || lastCommand?.isSecret != true,
            DataObjects.areSound(data.span, 0..<data.count)
                || data.count > 2 && MPIResponse.Template(rawValue: data[0]) != nil
        else { return }
        description.joined = (message, start..<start + data.count)
        if let masked = NEO2Result.maskedPAN(data, 0..<data.count) { description.cardEnd = masked.lastFour }
    }
}
