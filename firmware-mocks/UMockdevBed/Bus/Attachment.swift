import FirmwareCores

/// A device for as long as it stays plugged: one device number, one node, one poll gate, one ioctl server. It outlives the
/// unplug for the clients that still have it open.
final class Attachment {
    let record: DeviceRecord
    let listener: SocketListener
    var gate: PollGate
    var isGone = false
    /// Interface number to the descriptor of the connection that claimed it.
    var claims: [UInt32: Int32] = [:]
    /// The kernel driver that holds the interfaces; an injected fault.
    var boundDriver: String?
    /// When the node may be opened; nil once it may.
    var accessDue: Duration?
    /// The tty that its first interface is.
    var tty: TTYRecord?

    init(record: DeviceRecord, listener: SocketListener, gate: PollGate) {
        self.record = record
        self.listener = listener
        self.gate = gate
    }

    var address: DeviceAddress { record.address }
}

/// A firmware core at a port, plugged in or not.
final class MockedDevice {
    let port: String
    let plugged: PluggedDevice
    var faults = BusFaults()
    /// Commands for `faults` that are not due yet, in no particular order.
    var scheduled: [(due: Duration, words: [String])] = []
    var attachment: Attachment?

    init(port: String, core: any FirmwareCore) {
        self.port = port
        plugged = PluggedDevice(core: core)
    }
}

/// The node as one client has it open. As in usbfs, each open has its own list of requests and of what can be reaped.
final class OpenNode {
    struct Pending {
        var id: PluggedDevice.TransferID
        var block: RequestBlock
        /// Where device-to-host bytes go; for a control request that is behind the setup packet.
        var target: UInt
        /// Bytes that a host-to-device transfer carries; nil for the other direction.
        var outLength: Int?
        /// Blocks before this one that carry the beginning of the same transfer; they end as it does.
        var earlierParts: [PluggedDevice.TransferID] = []
    }

    let descriptor: Int32
    let device: MockedDevice
    let attachment: Attachment
    /// In the order of submission.
    var pending: [Pending] = []
    /// Host-to-device blocks of a split transfer whose rest has not come yet.
    var held: [(id: PluggedDevice.TransferID, endpoint: UInt8, bytes: [UInt8])] = []
    /// When what is held goes to the device even if nothing more has come.
    var heldDue: Duration?
    /// Complete, but kept back by the fault `delay`.
    var delayed: [(due: Duration, block: CompletedBlock)] = []
    /// Can be reaped, in order.
    var completed: [CompletedBlock] = []

    init(descriptor: Int32, device: MockedDevice, attachment: Attachment) {
        self.descriptor = descriptor
        self.device = device
        self.attachment = attachment
    }

    /// Makes everything that is due, or everything, reapable.
    func releaseDelayed(until now: Duration?) {
        let ready = delayed.prefix { entry in now.map { entry.due <= $0 } ?? true }
        completed += ready.map(\.block)
        delayed.removeFirst(ready.count)
    }
}
