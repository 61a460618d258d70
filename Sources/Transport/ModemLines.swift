/// The lines beside the data lines (V.24): those that this side drives and those that the other side drives.
public struct ModemLines: Sendable, Hashable {
    public var outputs: ModemOutputs
    public var inputs: ModemInputs

    public init(outputs: ModemOutputs = [], inputs: ModemInputs = []) {
        self.outputs = outputs
        self.inputs = inputs
    }
}

public struct ModemOutputs: OptionSet, Sendable, Hashable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Data terminal ready.
    public static let dtr = ModemOutputs(rawValue: 1)
    /// Request to send. With flow control by RTS and CTS the driver moves it.
    public static let rts = ModemOutputs(rawValue: 2)
}

public struct ModemInputs: OptionSet, Sendable, Hashable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Clear to send.
    public static let cts = ModemInputs(rawValue: 1)
    /// Data set ready.
    public static let dsr = ModemInputs(rawValue: 2)
    /// Ring indicator.
    public static let ri = ModemInputs(rawValue: 4)
    /// Data carrier detect.
    public static let dcd = ModemInputs(rawValue: 8)
}
