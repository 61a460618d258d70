import Glibc
internal import Transport

extension TerminalAttributes {
    /// Bytes pass as they are, both ways: no echo, no lines, no signals, no change of line ends. A break is ignored, and
    /// a character with a wrong parity is passed on: the frame's check finds it.
    mutating func makeRaw() {
        inputFlags = Self.bits(IGNBRK)
        outputFlags = 0
        localFlags = 0
        // A read never waits: poll(2) says when there is something.
        setCharacter(VMIN, to: 0)
        setCharacter(VTIME, to: 0)
    }

    /// - Parameter hangsUp: DTR and RTS fall when the last program closes the port (HUPCL).
    mutating func set(_ settings: SerialSettings, hangsUp: Bool) {
        let flow = Self.bits(IXON) | Self.bits(IXOFF) | Self.bits(IXANY)
        inputFlags = inputFlags & ~flow | (settings.flow == .xonxoff ? Self.bits(IXON) | Self.bits(IXOFF) : 0)
        setCharacter(VSTART, to: 0x11)
        setCharacter(VSTOP, to: 0x13)

        let code = BaudCode.code(of: settings.baud)
        // The code of the input speed stays 0, "as the output speed".
        var control = controlFlags & ~(BaudCode.mask | BaudCode.mask << 16 | Self.formatMask | Self.bits(HUPCL))
        control |= code | Self.size(settings.dataBits) | Self.parity(settings.parity)
        // CLOCAL: no carrier is waited for, and its fall is no hang-up.
        control |= Self.bits(CREAD) | Self.bits(CLOCAL)
        if settings.stopBits == .two { control |= Self.bits(CSTOPB) }
        if settings.flow == .rtscts { control |= Self.hardwareFlow }
        if hangsUp { control |= Self.bits(HUPCL) }
        controlFlags = control
        inputSpeed = settings.baud.bitsPerSecond
        outputSpeed = settings.baud.bitsPerSecond
    }

    /// Nil when the speed is 0: the line is hung up.
    var settings: SerialSettings? {
        guard let baud = BaudRate(outputSpeed) else { return nil }
        let control = controlFlags
        let flow: SerialSettings.FlowControl =
            if control & Self.hardwareFlow != 0 {
                .rtscts
            } else {
                inputFlags & Self.bits(IXON) != 0 ? .xonxoff : .none
            }
        return SerialSettings(
            baud: baud, dataBits: .allCases.first { Self.size($0) == control & Self.bits(CSIZE) } ?? .eight,
            parity: .allCases.first { Self.parity($0) == control & Self.parityMask } ?? .none,
            stopBits: control & Self.bits(CSTOPB) == 0 ? .one : .two, flow: flow)
    }

    /// CMSPAR (mark and space) and CRTSCTS: bits that glibc hides from a strict program.
    private static let stickParity: UInt32 = 0x4000_0000
    private static let hardwareFlow: UInt32 = 0x8000_0000
    private static let parityMask = bits(PARENB) | bits(PARODD) | stickParity
    private static let formatMask = bits(CSIZE) | bits(CSTOPB) | parityMask | hardwareFlow

    private static func size(_ dataBits: SerialSettings.DataBits) -> UInt32 {
        switch dataBits {
        case .five: bits(CS5)
        case .six: bits(CS6)
        case .seven: bits(CS7)
        case .eight: bits(CS8)
        }
    }

    private static func parity(_ parity: SerialSettings.Parity) -> UInt32 {
        switch parity {
        case .none: 0
        case .even: bits(PARENB)
        case .odd: bits(PARENB) | bits(PARODD)
        case .mark: bits(PARENB) | bits(PARODD) | stickParity
        case .space: bits(PARENB) | stickParity
        }
    }

    private static func bits(_ value: Int32) -> UInt32 { UInt32(bitPattern: value) }
}
