/// How the frames of one reader protocol are told from other bytes. Frames are found by their start, their lengths and
/// their check bytes alone; what they say is for the protocol's own types.
public enum FrameFormat: Sendable, Hashable {
    case neo2(NEO2FrameFormat)
    case qpos
    case mpi

    /// What begins at a place. Looks at no more bytes than it must, and never beyond those lent.
    @inline(__always)
    public func candidate(in bytes: Span<UInt8>, at place: Int) -> FrameCandidate {
        switch self {
        case .neo2(let format): format.candidate(in: bytes, at: place)
        case .qpos: QPOSFrameFormat.candidate(in: bytes, at: place)
        case .mpi: MPIPacketFormat.candidate(in: bytes, at: place)
        }
    }

    /// The most bytes that a frame may have, so that a receiver knows how much it may have to keep.
    public var longestFrame: Int {
        switch self {
        case .neo2(let format): NEO2FrameFormat.overhead + format.longestData
        case .qpos: QPOSFrameFormat.longestFrame
        case .mpi: MPIPacketFormat.longestPacket
        }
    }
}

/// What begins at a place in a stream of bytes.
public enum FrameCandidate: Sendable, Hashable {
    /// A frame of this length; `isGood` when its check bytes are right.
    case frame(length: Int, isGood: Bool)
    /// Perhaps a frame: so many bytes from the place on must be there to say more. `hasHeader` when the lengths were
    /// read and believed, so that only data is missing.
    case incomplete(needed: Int, hasHeader: Bool)
    case noise(NoiseReason)
}

/// Why bytes are no frame.
public enum NoiseReason: String, Sendable, Hashable, CaseIterable {
    /// No frame begins with this byte.
    case noStart
    /// What follows the first byte cannot stand there: NAD or PCB of MPI, a wrong header of NEO2.
    case badHeader
    /// A length that the protocol does not allow, or two lengths that contradict each other.
    case badLength
    /// The check bytes are wrong, and a good frame begins before this one would end.
    case badCheck
    /// The input ended, or fell silent, within what might have been a frame.
    case cut

    /// For people.
    public var sentence: String {
        switch self {
        case .noStart: "no frame begins there"
        case .badHeader: "the header is wrong"
        case .badLength: "a length is wrong"
        case .badCheck: "the check bytes are wrong, and a good frame follows within"
        case .cut: "the input ends within a frame"
        }
    }
}
