import EMV

/// Commands by class and instruction (EMV Book 3, 6.5; Book 1, 11; Contactless Book C-2, 5).
enum CommandName {
    static func name(cla: UInt8, ins: UInt8) -> String? {
        switch (cla & 0xF0, ins) {
        case (_, 0xA4): "SELECT"
        case (0x00, 0xB2): "READ RECORD"
        case (0x00, 0xB0): "READ BINARY"
        case (_, 0xA8): "GET PROCESSING OPTIONS"
        case (_, 0xCA): "GET DATA"
        case (_, 0x88): "INTERNAL AUTHENTICATE"
        case (_, 0x20): "VERIFY"
        case (_, 0x84): "GET CHALLENGE"
        case (_, 0xAE): "GENERATE AC"
        case (_, 0x82): "EXTERNAL AUTHENTICATE"
        case (_, 0xC0): "GET RESPONSE"
        case (0x80, 0x1E): "APPLICATION BLOCK"
        case (0x80, 0x18): "APPLICATION UNBLOCK"
        case (0x80, 0x16): "CARD BLOCK"
        case (0x80, 0x24): "PIN CHANGE/UNBLOCK"
        case (_, 0xDA): "PUT DATA"
        case (_, 0xDC): "UPDATE RECORD"
        case (0x80, 0x2A): "COMPUTE CRYPTOGRAPHIC CHECKSUM"
        case (0x80, 0xEA): "EXCHANGE RELAY RESISTANCE DATA"
        case (0x80, 0xD0): "RECOVER AC"
        default: nil
        }
    }

    /// VERIFY and PIN CHANGE carry PIN data.
    static func isSecret(ins: UInt8) -> Bool { ins == 0x20 || ins == 0x24 }
}

/// Status words (ISO/IEC 7816-4, 5.1.3; EMV Book 3, 6.3.5).
enum StatusWordName {
    static func name(_ word: StatusWord) -> String {
        switch word.value {
        case 0x9000: "success"
        case 0x6283: "selected file invalidated: application blocked"
        case 0x6300: "authentication failed"
        case 0x63C0...0x63CF: "wrong PIN, \(word.sw2 & 0x0F) tries left"
        case 0x6700: "wrong length"
        case 0x6882: "secure messaging not supported"
        case 0x6982: "security status not satisfied"
        case 0x6983: "authentication method blocked"
        case 0x6984: "referenced data invalidated"
        case 0x6985: "conditions of use not satisfied"
        case 0x6986: "command not allowed"
        case 0x6A80: "wrong data"
        case 0x6A81: "function not supported, or card blocked"
        case 0x6A82: "file or application not found"
        case 0x6A83: "record not found"
        case 0x6A86: "wrong parameters P1 P2"
        case 0x6A88: "referenced data not found"
        case 0x6D00: "instruction not supported"
        case 0x6E00: "class not supported"
        case 0x6F00: "no precise diagnosis"
        default:
            switch word.sw1 {
            case 0x61: "\(word.sw2) more bytes to fetch with GET RESPONSE"
            case 0x6C: "wrong Le, \(word.sw2) is right"
            case 0x62, 0x63: "warning"
            case 0x60...0x6F, 0x90...0x9F: "error"
            default: "not a status word: an error of the card or the reader"
            }
        }
    }
}
