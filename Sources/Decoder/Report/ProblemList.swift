import BERTLV

/// The problems of an input, the first thousand with their sentences, the rest as a number: memory stays bounded however
/// bad the input is.
struct ProblemList: Sendable {
    static let limit = 1000

    private(set) var problems: [DecodeReport.Problem] = []
    private var omitted = 0
    private var firstOmitted = 0
    /// Problems of the group under way begin here; they are put in the order of their offsets when it ends.
    private var groupStart = 0

    /// Further problems are only counted.
    var isFull: Bool { problems.count >= Self.limit }

    mutating func add(_ problem: @autoclosure () -> DecodeReport.Problem, at offset: Int) {
        guard problems.count < Self.limit else {
            if omitted == 0 { firstOmitted = offset }
            omitted += 1
            return
        }
        problems.append(problem())
    }

    mutating func addUncounted(_ count: Int, at offset: Int) {
        if count > 0, omitted == 0 { firstOmitted = offset }
        omitted += count
    }

    mutating func endGroup() {
        if problems.count - groupStart > 1 {
            let sorted = problems[groupStart...].enumerated().sorted {
                ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset)
            }
            problems.replaceSubrange(groupStart..., with: sorted.map(\.element))
        }
        groupStart = problems.count
    }

    /// Moves the offsets of the problems from this one on.
    mutating func moveOffsets(from start: Int, _ place: (Int) -> Int) {
        for position in start..<max(start, problems.count) {
            problems[position].offset = place(problems[position].offset)
        }
    }

    /// All of them, and a last one that tells how many more there are.
    var all: [DecodeReport.Problem] {
        guard omitted > 0 else { return problems }
        return problems + [
            .init(
                offset: firstOmitted, code: .moreProblems, message: "\(omitted) more problems are not listed")
        ]
    }
}
