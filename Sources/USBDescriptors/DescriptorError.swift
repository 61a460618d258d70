/// Why descriptor bytes were refused. Offsets count from the first byte given.
public enum DescriptorError: Error, Sendable, Hashable {
    /// Fewer bytes than the descriptor needs.
    case truncated(at: Int)
    /// A bLength that is below the descriptor's minimum, or leads outside its parent.
    case badLength(at: Int)
    /// A descriptor of another type than the one that must come here.
    case unexpectedType(UInt8, at: Int)
    /// More of something than any real device has; refused to keep memory bounded.
    case tooMany(at: Int)
}
