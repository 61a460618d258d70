/// Ways in which a reader can misbehave while it handles one command.
enum CCIDFault: Sendable, Hashable {
    /// Leaves before it takes the command; after it, without an answer; in the middle of the answer.
    case unplugBefore, unplugAfter, unplugHalf
    case silent
    case late(Duration)
    /// The IN endpoint halts and the answer is lost.
    case stall
    /// The answer is cut short.
    case short
    /// Only an answer with another bSeq comes.
    case wrongSequence
    /// An answer with another bSeq comes first, then the right one.
    case stale
    case twice
    /// The stale answer and the right one in one transfer.
    case glued
    /// Random bytes stand before the answer, in the same transfer.
    case garbageBefore
    /// An answer far beyond dwMaxCCIDMessageLength.
    case oversized
    /// The reader asks so many times for more time, 100 ms apart.
    case timeExtension(Int)
    /// bmCommandStatus 3, which is reserved.
    case badStatus
    /// The card is pulled while the command runs.
    case cardRemoved
    /// One byte per transfer, with this pause between them.
    case drip(Duration)
    /// The reader restarts by itself after the command.
    case reboot
    /// A hundred slot change notifications before the answer.
    case storm

    /// Reads `late 500` and the like. Nil when it is not understood.
    init?(words: [Substring]) {
        guard let name = words.first, words.count <= 2 else { return nil }
        let argument = words.count == 2 ? Int(words[1]) : nil
        if let value = argument {
            guard (0...1_000_000).contains(value) else { return nil }
            switch name {
            case "late": self = .late(.milliseconds(value))
            case "drip": self = .drip(.milliseconds(value))
            case "time-extension" where value <= 1000: self = .timeExtension(value)
            default: return nil
            }
            return
        }
        guard words.count == 1, let plain = Self.plain[String(name)] else { return nil }
        self = plain
    }

    static var names: String {
        (plain.keys.sorted() + ["late MS", "drip MS", "time-extension N"]).joined(separator: ", ")
    }

    private static let plain: [String: CCIDFault] = [
        "unplug-before": .unplugBefore, "unplug-after": .unplugAfter, "unplug-half": .unplugHalf, "silent": .silent,
        "stall": .stall, "short": .short, "wrong-seq": .wrongSequence, "stale": .stale, "twice": .twice,
        "glued": .glued, "garbage-before": .garbageBefore, "oversized": .oversized, "bad-status": .badStatus,
        "card-removed": .cardRemoved, "reboot": .reboot, "storm": .storm,
    ]
}
