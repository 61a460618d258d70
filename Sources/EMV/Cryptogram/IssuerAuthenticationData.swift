import BERTLV

/// Tag 91, by which the issuer tells its answer to the card (EMV Book 2, 8.2; CCD, Book 3 Annex C10).
public struct IssuerAuthenticationData: Sendable, Hashable {
    /// Four bytes by method 2, else eight.
    public let arpc: [UInt8]
    /// What the ARPC covers beside the cryptogram, and what follows it in tag 91.
    public let code: [UInt8]

    /// The value of tag 91.
    public var value: [UInt8] { arpc + code }

    /// The issuer's answer to `sent` (tag 9F26), a cryptogram that has been found right.
    /// - Parameter code: the authorisation response code or M/Chip's own, two bytes; by method 2 the card status update,
    ///   four bytes, with up to eight bytes of proprietary data behind it.
    public init(
        to sent: [UInt8], of cryptogram: ApplicationCryptogram, code: [UInt8]
    ) throws(CryptogramError) {
        self.code = code
        switch cryptogram.scheme.responseMethod {
        case .method1:
            arpc = try ARPC.method1(
                key: cryptogram.responseKey, applicationCryptogram: sent, responseCode: code)
        case .method2:
            arpc = try ARPC.method2(
                key: cryptogram.responseKey, applicationCryptogram: sent, cardStatusUpdate: Array(code.prefix(4)),
                proprietaryData: Array(code.dropFirst(4)), cipher: cryptogram.scheme.cipher)
        }
    }

    /// The usual code of a scheme: the response code itself where the card understands it, else bits that approve online
    /// and set the offline counters back, or nothing at all.
    public static func code(
        of scheme: CryptogramScheme, responseCode: [UInt8], approves: Bool
    ) -> [UInt8] {
        switch scheme.responseMethod {
        case .method1 where scheme.usesMChipResponseCode: approves ? [0x00, 0x12] : [0x00, 0x00]
        case .method1: responseCode
        case .method2: approves ? [0x00, 0x82, 0x00, 0x00] : [0x00, 0x00, 0x00, 0x00]
        }
    }
}
