/// How the cardholder was verified, as a receipt says it.
public enum CardholderVerification: String, Sendable, Hashable, CaseIterable {
    case none, pin, signature, pinAndSignature

    /// From tag 9F34 (Book 4, 6.3.4.5; methods: Book 3, table 39). A method that failed verified nobody; the result of a
    /// signature is not known to the terminal.
    init(results: [UInt8]) {
        guard results.count == 3, results[2] != 0x01 else {
            self = .none
            return
        }
        self =
            switch results[0] & 0x3F {
            case 0x01, 0x02, 0x04: .pin
            case 0x03, 0x05: .pinAndSignature
            case 0x1E: .signature
            default: .none
            }
    }

    /// Somebody must sign, and the merchant keeps it.
    var needsSignature: Bool { self == .signature || self == .pinAndSignature }
}
