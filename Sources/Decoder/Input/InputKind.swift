/// What the first bytes of an input look like.
enum InputKind {
    /// Digits, white space and colons only; or nearly so, which is hex with a mistake in it.
    case hex
    /// Printable characters.
    case text
    case binary

    init(_ head: some Collection<UInt8>) {
        var digits = 0
        var others = 0
        for byte in head {
            switch HexInput.digit(byte) {
            case 0xFE: continue
            case 0xFF:
                guard (0x20...0x7E).contains(byte) || byte >= 0x80 else {
                    self = .binary
                    return
                }
                others += 1
            default: digits += 1
            }
        }
        if others == 0, digits > 0 {
            self = .hex
        } else {
            self = others * 3 <= digits ? .hex : .text
        }
    }
}

/// What `--format` names.
public enum InputFormat: String, Sendable, CaseIterable {
    /// Told by the first bytes.
    case auto
    case tlv
    /// A log of commands and responses.
    case apdu
    /// Messages between host and a CCID reader.
    case ccid
    /// Frames of ID TECH's NEO2 protocol, as on a serial line.
    case neo2
    /// Frames of DSpread's QPOS protocol.
    case qpos
    /// Packets of Miura's MPI and Verifone's VIPA.
    case mpi
}
