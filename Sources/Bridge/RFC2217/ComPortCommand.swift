/// What a client asks by the com port option (RFC 2217, section 3). Numbers are as on the wire; 0 asks for the present
/// value where it is allowed.
public enum ComPortCommand: Sendable, Hashable {
    /// Empty: asks for the server's.
    case signature([UInt8])
    /// Bits per second; 0 asks.
    case setBaud(UInt32)
    case setDataSize(UInt8)
    case setParity(UInt8)
    case setStopSize(UInt8)
    case setControl(UInt8)
    case notifyLineState
    case notifyModemState
    case suspend
    case resume
    case setLineStateMask(UInt8)
    case setModemStateMask(UInt8)
    case purge(UInt8)

    /// From the parameters of a subnegotiation of option 44. Nil when it is no command or is cut short.
    public init?(_ parameters: [UInt8]) {
        guard let code = parameters.first else { return nil }
        let values = parameters.dropFirst()
        if let command = Self.withoutValue(code, values) {
            self = command
            return
        }
        if code == 1, values.count >= 4 {
            self = .setBaud(values.prefix(4).reduce(0) { $0 << 8 | UInt32($1) })
            return
        }
        guard let value = values.first else { return nil }
        switch code {
        case 2: self = .setDataSize(value)
        case 3: self = .setParity(value)
        case 4: self = .setStopSize(value)
        case 5: self = .setControl(value)
        case 10: self = .setLineStateMask(value)
        case 11: self = .setModemStateMask(value)
        case 12: self = .purge(value)
        default: return nil
        }
    }

    private static func withoutValue(_ code: UInt8, _ values: ArraySlice<UInt8>) -> ComPortCommand? {
        switch code {
        case 0: .signature(Array(values))
        // Clients ask for the states by sending the notification, with or without a value.
        case 6: .notifyLineState
        case 7: .notifyModemState
        case 8: .suspend
        case 9: .resume
        default: nil
        }
    }
}

/// What the server says by the com port option: the client's number plus 100.
public enum ComPortAnswer: Sendable, Hashable {
    case signature([UInt8])
    case baud(UInt32)
    case dataSize(UInt8)
    case parity(UInt8)
    case stopSize(UInt8)
    case control(UInt8)
    case lineState(UInt8)
    case modemState(UInt8)
    case lineStateMask(UInt8)
    case modemStateMask(UInt8)
    case purge(UInt8)

    /// As it goes over the connection, with every 255 in it doubled.
    public var bytes: [UInt8] {
        TelnetWriter.subnegotiation(option: TelnetOption.comPort.rawValue, parameters)
    }

    private var parameters: [UInt8] {
        switch self {
        case .signature(let text): [100] + text
        case .baud(let baud): [101] + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: baud >> $0) }
        case .dataSize(let value): [102, value]
        case .parity(let value): [103, value]
        case .stopSize(let value): [104, value]
        case .control(let value): [105, value]
        case .lineState(let value): [106, value]
        case .modemState(let value): [107, value]
        case .lineStateMask(let value): [110, value]
        case .modemStateMask(let value): [111, value]
        case .purge(let value): [112, value]
        }
    }
}
