import Transport

/// The numbers of RFC 2217 for settings and lines.
extension SerialSettings.Parity {
    /// SET-PARITY.
    init?(comPort number: UInt8) {
        switch number {
        case 1: self = .none
        case 2: self = .odd
        case 3: self = .even
        case 4: self = .mark
        case 5: self = .space
        default: return nil
        }
    }

    var comPort: UInt8 {
        switch self {
        case .none: 1
        case .odd: 2
        case .even: 3
        case .mark: 4
        case .space: 5
        }
    }
}

extension SerialSettings.FlowControl {
    /// SET-CONTROL 1 to 3, for what goes out or for both directions.
    var comPort: UInt8 {
        switch self {
        case .none: 1
        case .xonxoff: 2
        case .rtscts: 3
        }
    }

    /// SET-CONTROL 14 to 16, for what comes in. A line has one flow control for both directions.
    var comPortInbound: UInt8 { comPort + 13 }

    init?(comPort number: UInt8) {
        switch number {
        case 1, 14: self = .none
        case 2, 15: self = .xonxoff
        case 3, 16: self = .rtscts
        default: return nil
        }
    }
}

extension ModemInputs {
    /// The upper half of NOTIFY-MODEMSTATE.
    var comPort: UInt8 {
        (contains(.dcd) ? 128 : 0) | (contains(.ri) ? 64 : 0) | (contains(.dsr) ? 32 : 0) | (contains(.cts) ? 16 : 0)
    }

    /// NOTIFY-MODEMSTATE: the present state, and in the lower half what has changed. Of the ring indicator only its end is
    /// told.
    func comPort(since earlier: ModemInputs) -> UInt8 {
        let changed = symmetricDifference(earlier)
        let ringEnded = earlier.contains(.ri) && !contains(.ri)
        return comPort | (changed.contains(.dcd) ? 8 : 0) | (ringEnded ? 4 : 0) | (changed.contains(.dsr) ? 2 : 0)
            | (changed.contains(.cts) ? 1 : 0)
    }
}
