import Crypto
import EMV

/// The host's numbers for an attempt. They follow from its identity, so that a repeated request and a repeated test run
/// get the same ones.
enum HostNumber {
    /// Field 38: six digits.
    static func authorisationCode(of attempt: AttemptID) throws(CryptogramError) -> String {
        try digits(6, of: "authorisation/" + attempt.text)
    }

    /// Field 37: twelve digits.
    static func reference(of attempt: AttemptID) throws(CryptogramError) -> String {
        try digits(12, of: "reference/" + attempt.text)
    }

    private static func digits(_ count: Int, of text: String) throws(CryptogramError) -> String {
        let digest: [UInt8]
        do throws(CryptoError) {
            digest = try SHA256.digest(of: Array(text.utf8))
        } catch {
            throw .crypto(error)
        }
        return String(decoding: digest.prefix(count).map { UInt8(ascii: "0") + $0 % 10 }, as: UTF8.self)
    }
}
