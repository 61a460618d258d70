/// Ways in which a reader at the far end of a stream of frames can misbehave while it answers one command. Every protocol
/// core carries them out in its own framing.
public enum FrameFault: Sendable, Hashable {
    /// The check bytes of the answer are wrong; or stand in the wrong order, where there are two.
    case wrongCheck, swappedCheck
    /// The answer ends after half of its bytes.
    case cut
    /// Foreign bytes stand before the answer, a false start among them.
    case noiseBefore
    /// The answer comes so much later.
    case late(Duration)
    /// The answer of an earlier command comes first.
    case stale
    /// Each byte comes alone, with this pause between them.
    case split(Duration)
    /// The answer comes in two pieces, cut after so many bytes.
    case splitAt(Int)
    /// The answer comes twice, both in one piece.
    case twice
    /// Something unasked comes before the answer, in the same piece; or in the middle of it, where the protocol can.
    case unsolicited
    case silent
    /// A length far beyond what follows.
    case hostileLength
    /// Leaves before it takes the command; after it, without an answer; in the middle of the answer.
    case unplugBefore, unplugAfter, unplugHalf

    /// Reads `late 500` and the like. Nil when it is not understood.
    public init?(words: [Substring]) {
        guard let name = words.first, words.count <= 2 else { return nil }
        guard words.count == 2 else {
            guard let plain = Self.plain[String(name)] else { return nil }
            self = plain
            return
        }
        guard let value = Int(words[1]), (0...1_000_000).contains(value) else { return nil }
        switch name {
        case "late": self = .late(.milliseconds(value))
        case "split": self = .split(.milliseconds(value))
        case "split-at": self = .splitAt(value)
        default: return nil
        }
    }

    public static var names: String {
        (plain.keys.sorted() + ["late MS", "split MS", "split-at BYTES"]).joined(separator: ", ")
    }

    /// Every fault that takes no number, for tests that try them all.
    public static let plain: [String: FrameFault] = [
        "wrong-check": .wrongCheck, "swapped-check": .swappedCheck, "cut": .cut, "noise-before": .noiseBefore,
        "stale": .stale, "twice": .twice, "unsolicited": .unsolicited, "silent": .silent,
        "hostile-length": .hostileLength, "unplug-before": .unplugBefore, "unplug-after": .unplugAfter,
        "unplug-half": .unplugHalf,
    ]
}

/// Which command meets which fault. Commands are counted from the first that the reader ever took.
public struct FaultPlan: Sendable {
    /// Whole commands taken so far.
    public private(set) var commandsSeen = 0
    private var faults: [(command: Int, fault: FrameFault)] = []

    private static let most = 256

    public init() {}

    /// Counts a command and takes out the fault that waits for it.
    public mutating func next() -> FrameFault? {
        commandsSeen += 1
        guard let index = faults.firstIndex(where: { $0.command == commandsSeen }) else { return nil }
        return faults.remove(at: index).fault
    }

    /// `fault N|next NAME [NUMBER]`, N commands from now, and `faults clear`. Nil on success, else a sentence.
    public mutating func steer(_ words: [Substring]) -> String? {
        if words == ["faults", "clear"] {
            faults = []
            return nil
        }
        guard words.count >= 3, words[0] == "fault",
            let offset = words[1] == "next" ? 1 : Int(words[1]), (1...1_000_000).contains(offset)
        else { return "a fault needs `next` or the number of the command it hits, from 1" }
        guard let fault = FrameFault(words: Array(words.dropFirst(2))) else {
            return "a fault is one of: \(FrameFault.names)"
        }
        guard faults.count < Self.most else { return "too many faults are waiting" }
        faults.append((commandsSeen + offset, fault))
        return nil
    }
}
