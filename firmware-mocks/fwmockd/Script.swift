import Glibc

/// Steering lines with the time, since the client's start, at which each is due.
struct Script: Sendable, Hashable {
    struct Step: Sendable, Hashable {
        var milliseconds: Int
        var command: String
    }

    var steps: [Step] = []

    struct Malformed: Error {
        var sentence: String
    }

    init() {}

    init(text: String) throws(Malformed) {
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let words = line.split(separator: " ", maxSplits: 1)
            guard let first = words.first, !first.hasPrefix("#") else { continue }
            guard let due = Int(first), due >= 0, words.count == 2 else {
                throw Malformed(sentence: "line \(index + 1) of the script is not 'MS PORT COMMAND...'")
            }
            steps.append(Step(milliseconds: due, command: String(words[1])))
        }
        // A stable order: lines of the same time keep theirs.
        steps = steps.enumerated().sorted {
            ($0.element.milliseconds, $0.offset) < ($1.element.milliseconds, $1.offset)
        }
        .map(\.element)
    }

    init(path: String) throws(Malformed) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Malformed(sentence: "cannot read the script \(path)") }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while bytes.count < 1_000_000 {
            let count = read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            bytes += chunk[..<count]
        }
        try self.init(text: String(decoding: bytes, as: UTF8.self))
    }
}
