/// The version of the original app whose behaviour callers can count on. Not our own version.
public struct CompatibilityLevel: Sendable, Hashable, Comparable {
    private let parts: [Int]

    /// Three numbers, for example `4.3.24`.
    public init?(_ text: String) {
        let pieces = text.split(separator: ".", omittingEmptySubsequences: false)
        let numbers = pieces.compactMap { piece in
            piece.utf8.allSatisfy(ASCII.isDigit) && piece.utf8.count <= 6 ? Int(piece) : nil
        }
        guard pieces.count == 3, numbers.count == 3 else { return nil }
        parts = numbers
    }

    private init(_ major: Int, _ minor: Int, _ patch: Int) {
        parts = [major, minor, patch]
    }

    /// From here on refunds are offered.
    public static let withRefunds = CompatibilityLevel(4, 3, 24)

    public static func < (left: CompatibilityLevel, right: CompatibilityLevel) -> Bool {
        left.parts.lexicographicallyPrecedes(right.parts)
    }
}
