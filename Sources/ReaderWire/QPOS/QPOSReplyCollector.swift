/// Puts a command's answer together: waiting, parts, and the completed frame. Keeps at most `longestReply` bytes and ends
/// a chain of parts that goes on for ever.
public struct QPOSReplyCollector: Sendable {
    public static let longestReply = 65_536
    static let mostParts = 256

    public enum Step: Sendable, Hashable {
        /// Send QUERY; what the reader is doing.
        case query(QPOSStatus)
        case sendNextPart
        /// The last frame, with the data of all parts.
        case done(QPOSFrame)
        case failed(QPOSStatus)
        /// An answer to another command: to be passed over.
        case late
        /// More parts, or more data, than any answer has.
        case tooLong
    }

    private let command: QPOSCommand
    private var kept: [UInt8] = []
    private var parts = 0

    public init(command: QPOSCommand) {
        self.command = command
    }

    public mutating func take(_ frame: QPOSFrame) -> Step {
        guard !frame.isFromHost, frame.asCommand == command else { return .late }
        switch frame.status.demand {
        case .query: return .query(frame.status)
        case .failed: return .failed(frame.status)
        case .nextPart, .done:
            parts += 1
            guard parts <= Self.mostParts, kept.count + frame.data.count <= Self.longestReply else {
                kept = []
                return .tooLong
            }
            kept += frame.data
            guard frame.status.demand == .done else { return .sendNextPart }
            var whole = frame
            whole.data = kept
            return .done(whole)
        }
    }
}
