/// Output in the making, passed on in large pieces.
public struct OutputPage {
    public typealias Pass = (UnsafeRawBufferPointer) -> Void

    /// Output of this size is passed on.
    private static let pieceSize = 128 << 10

    var bytes: [UInt8] = []
    private let pass: Pass

    /// - Parameter pass: takes each piece; the memory is lent for the time of the call.
    public init(pass: @escaping Pass) {
        self.pass = pass
        bytes.reserveCapacity(Self.pieceSize + (Self.pieceSize >> 1))
    }

    mutating func flush(all: Bool) {
        guard bytes.count >= (all ? 1 : Self.pieceSize) else { return }
        bytes.withUnsafeBytes { pass($0) }
        bytes.removeAll(keepingCapacity: true)
    }
}
