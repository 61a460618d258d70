/// What a deframer found. Offsets count from the first byte ever fed.
public enum FrameEvent: Sendable, Hashable {
    /// A whole frame; `isGood` when its check bytes are right. A frame with wrong ones is for the log only.
    case frame(offset: Int, isGood: Bool)
    /// Bytes that belong to no frame. A run of them that spans feeds comes in pieces.
    case noise(offset: Int, count: Int, reason: NoiseReason)
}

/// An event that keeps its frame's bytes.
public enum OwnedFrameEvent: Sendable, Hashable {
    case frame(bytes: [UInt8], offset: Int, isGood: Bool)
    case noise(offset: Int, count: Int, reason: NoiseReason)

    /// The bytes of a frame whose check bytes are right.
    public var goodFrame: [UInt8]? {
        if case .frame(let bytes, _, true) = self { bytes } else { nil }
    }
}
