public import Transport

/// What one port of a USB-serial chip is told and tells, as values: nothing here does I/O. A port is driven by carrying
/// out the requests in their order; of a device-to-host request that only belongs to a sequence, the answer's length
/// counts and its content does not.
public protocol SerialChip: Sendable {
    /// For people, for example "FTDI FT232R".
    var name: String { get }

    /// The settings as the chip keeps them: the speed is the one that it really makes.
    func kept(_ settings: SerialSettings) throws(SerialChipRefusal) -> SerialSettings

    /// Everything from a chip in any state to an open line with these settings and outputs.
    func opening(_ settings: SerialSettings, outputs: ModemOutputs) throws(SerialChipRefusal) -> [ControlRequest]

    /// Speed, format and flow control of an open line, whose outputs stay as they are given here.
    func configuring(_ settings: SerialSettings, outputs: ModemOutputs) throws(SerialChipRefusal) -> [ControlRequest]

    /// Moves the outputs in `changed` to where they are in `outputs`.
    func setting(_ outputs: ModemOutputs, changed: ModemOutputs) -> [ControlRequest]

    /// The request whose answer `breaking` needs; nil when it needs none.
    var breakRegisters: ControlRequest? { get }

    /// Begins or ends a break. `settings` are those of the line; `registers` is the answer to `breakRegisters`.
    func breaking(_ isOn: Bool, in settings: SerialSettings, registers: [UInt8]) -> [ControlRequest]

    /// Empties the chip's buffers. Empty for a chip that cannot.
    func purging(_ buffers: SerialBuffers) -> [ControlRequest]

    /// Leaves the line as a chip without a user has it: the outputs low.
    func closing() -> [ControlRequest]

    /// Asks for the settings; nil for a chip that does not tell them.
    var settingsRequest: ControlRequest? { get }

    /// Reads the answer to `settingsRequest`; nil for one that makes no sense. It knows nothing of flow control.
    func settings(in answer: [UInt8]) -> SerialSettings?

    var statusSource: ModemStatusSource { get }

    /// Reads the inputs out of a status answer or a notification; nil when it is none.
    func inputs(in status: [UInt8]) -> ModemInputs?

    /// Asks how much is still to go out; nil for a chip that does not tell.
    var outputRequest: ControlRequest? { get }

    /// Whether the answer to `outputRequest` says that everything is out.
    func isOutputEmpty(in answer: [UInt8]) -> Bool

    /// How many bytes one bulk IN transfer asks for, a multiple of `packetSize`.
    func transferSize(packetSize: Int) -> Int

    /// The line's bytes out of one bulk IN transfer.
    func payload(of transfer: [UInt8], packetSize: Int) throws(SerialChipRefusal) -> [UInt8]
}

/// Where the levels of the input lines come from.
public enum ModemStatusSource: Sendable, Hashable {
    /// They are asked for.
    case request(ControlRequest)
    /// The device tells each change on its interrupt pipe.
    case notifications
}

/// What a chip cannot do, or has sent against its own rules: one sentence without an end mark.
public struct SerialChipRefusal: Error, Sendable, Hashable, CustomStringConvertible {
    public let description: String

    public init(_ description: String) {
        self.description = description
    }
}

/// What most chips have in common.
extension SerialChip {
    public var breakRegisters: ControlRequest? { nil }
    public var settingsRequest: ControlRequest? { nil }
    public var outputRequest: ControlRequest? { nil }

    public func settings(in answer: [UInt8]) -> SerialSettings? { nil }
    public func isOutputEmpty(in answer: [UInt8]) -> Bool { true }

    /// As much at once as the kernel's drivers ask for: while bytes flow, the host's controller needs no software.
    public func transferSize(packetSize: Int) -> Int {
        max(256 / max(packetSize, 1), 1) * packetSize
    }

    public func payload(of transfer: [UInt8], packetSize: Int) throws(SerialChipRefusal) -> [UInt8] { transfer }

    func refuse(_ what: String) -> SerialChipRefusal {
        SerialChipRefusal("\(name) cannot do \(what)")
    }
}
