/// A frame of the QPOS protocol, of either direction.
public struct QPOSFrame: Sendable, Hashable {
    /// What the host sends, by the id at offset 3.
    public enum Request: UInt8, Sendable, Hashable, CaseIterable {
        case reset = 0x20
        case command = 0x21
        case query = 0x22
        case userCancel = 0x28
        case nextPart = 0x36
    }

    public static let longestData = QPOSFrameFormat.longestFrame - QPOSFrameFormat.overhead

    /// `Request` of the host, `QPOSStatus` of the reader.
    public var id: UInt8
    public var command: UInt8
    public var subCommand: UInt8
    /// The host's timeout in seconds; the reader's result, 0 for ok.
    public var timeoutOrResult: UInt8
    /// At most 4,086 bytes; what is beyond is not sent.
    public var data: [UInt8]

    public init(id: UInt8, command: UInt8 = 0, subCommand: UInt8 = 0, timeoutOrResult: UInt8 = 0, data: [UInt8] = []) {
        self.id = id
        self.command = command
        self.subCommand = subCommand
        self.timeoutOrResult = timeoutOrResult
        self.data = data
    }

    /// A command as the host sends it.
    public init(_ command: QPOSCommand, timeout: UInt8, data: [UInt8] = []) {
        self.init(
            id: Request.command.rawValue, command: command.code, subCommand: command.subCode,
            timeoutOrResult: timeout, data: data)
    }

    /// Reset, query, next part and cancel have no command.
    public init(_ request: Request, timeout: UInt8) {
        self.init(id: request.rawValue, timeoutOrResult: timeout)
    }

    public var asCommand: QPOSCommand { QPOSCommand(code: command, subCode: subCommand) }
    public var status: QPOSStatus { QPOSStatus(rawValue: id) }

    /// Sent by a host. 28 and 36 are ids of both sides: the host's have no command and no data.
    public var isFromHost: Bool {
        switch id {
        case 0x20, 0x21, 0x22: true
        case 0x28, 0x36: command == 0 && subCommand == 0 && data.isEmpty
        default: false
        }
    }

    public var bytes: [UInt8] {
        let length = min(data.count, Self.longestData)
        var bytes: [UInt8] = [
            0x4D, UInt8((length + 6) >> 8), UInt8((length + 6) & 0xFF), id, command, subCommand, timeoutOrResult,
            UInt8(length >> 8), UInt8(length & 0xFF),
        ]
        bytes.reserveCapacity(length + QPOSFrameFormat.overhead)
        bytes += data.prefix(length)
        bytes.append(CheckBytes.exclusiveOr(bytes.span))
        return bytes
    }

    /// Takes a whole frame apart, as a deframer delivers it; nil for anything else.
    public init?(parsing bytes: Span<UInt8>) {
        guard !bytes.isEmpty,
            QPOSFrameFormat.candidate(in: bytes, at: 0) == .frame(length: bytes.count, isGood: true)
        else { return nil }
        self.init(
            id: bytes[3], command: bytes[4], subCommand: bytes[5], timeoutOrResult: bytes[6],
            data: bytes.extracting(9..<bytes.count - 1).array)
    }

    public init?(parsing bytes: [UInt8]) { self.init(parsing: bytes.span) }
}
