import ReaderWire

/// Cuts what a NEO2 link brings into messages. Noise, and frames with a wrong CRC, are dropped and counted.
struct NEO2Receiver: Sendable {
    enum Message: Sendable, Hashable {
        case response(NEO2Frame)
        case event(NEO2EventFrame)
    }

    private enum Cutter: Sendable {
        case reports(NEO2ReportAssembler)
        case stream(Deframer)
    }

    private var cutter: Cutter
    /// Pieces of noise and damaged messages since the link was made.
    private(set) var droppedCount = 0

    init(_ form: NEO2LinkForm) {
        cutter = Self.cutter(form)
    }

    private static func cutter(_ form: NEO2LinkForm) -> Cutter {
        switch form {
        case .hid: .reports(NEO2ReportAssembler())
        case .stream: .stream(Deframer(.neo2(NEO2FrameFormat())))
        }
    }

    /// Takes one report, or the next bytes of a stream.
    mutating func feed(_ bytes: [UInt8]) -> [Message] {
        var messages: [Message] = []
        var dropped = 0
        func take(_ bytes: [UInt8]) {
            if let frame = NEO2Frame(parsing: bytes) {
                messages.append(.response(frame))
            } else if let event = NEO2EventFrame(parsing: bytes) {
                messages.append(.event(event))
            } else {
                dropped += 1
            }
        }
        switch cutter {
        case .reports(var assembler):
            for event in assembler.feed(bytes) {
                if case .message(let bytes, true) = event { take(bytes) } else { dropped += 1 }
            }
            cutter = .reports(assembler)
        case .stream(var deframer):
            for event in deframer.feed(bytes) {
                if let frame = event.goodFrame { take(frame) } else { dropped += 1 }
            }
            cutter = .stream(deframer)
        }
        droppedCount &+= dropped
        return messages
    }

    /// Forgets the beginning of a message whose end did not come.
    mutating func reset(_ form: NEO2LinkForm) {
        cutter = Self.cutter(form)
    }
}

/// How NEO2 messages travel.
public enum NEO2LinkForm: String, Sendable, Hashable, CaseIterable {
    /// In HID reports of 64 bytes with ids 01 to 04.
    case hid
    /// As they are: serial lines and CDC-ACM.
    case stream
}
