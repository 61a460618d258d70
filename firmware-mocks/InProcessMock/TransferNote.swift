/// One transfer between the host and the mock device, as `InProcessDevice.onTransfer` is told of it.
public struct TransferNote: Sendable, Hashable {
    public enum Kind: Sendable, Hashable, CaseIterable {
        /// Bulk OUT, bulk IN, interrupt IN.
        case out, `in`, event
        case control
    }

    public enum Moment: Sendable, Hashable {
        /// The host submits it. Bytes: what an OUT or control transfer carries.
        case submitted
        /// It is done. Bytes: what an IN or control transfer brought.
        case done
    }

    public let kind: Kind
    public let moment: Moment
    /// Counts the transfers of its kind from 1, since the device was made.
    public let number: Int
    public let bytes: [UInt8]
}

/// What becomes of a transfer.
public enum TransferVerdict: Sendable, Hashable {
    case pass
    /// Gives the device a steering command first, for example `unplug`; then the transfer goes its way.
    case steer(String)
    /// Other bytes travel in its place.
    case replace([UInt8])
}
