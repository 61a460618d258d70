import BERTLV
import Crypto
import EMV

/// Whether a card's cryptogram is the one that its key makes, and what the issuer answers. Holds no key and no PAN.
struct CryptogramVerdict {
    let scheme: CryptogramScheme
    let issuerData: IssuerApplicationData
    /// Tag 9F26 as sent.
    let sent: [UInt8]
    /// Tag 9F27, if it was sent.
    let information: UInt8?
    let isRight: Bool
    /// For a cryptogram that is right, when an answer was asked for.
    let answer: IssuerAuthenticationData?

    /// - Parameter code: the value of `--arpc`.
    init(_ input: CryptogramInput, code: String?) throws(CommandFailure) {
        let value: (Tag) -> [UInt8]? = { input.data.first($0) }
        guard let sent = value(0x9F26), sent.count == 8 else {
            throw CommandFailure(.malformedInput, "The chip data hold no cryptogram (9F26) of 8 bytes.")
        }
        guard let issuerData = value(0x9F10) else {
            throw CommandFailure(.malformedInput, "The chip data hold no issuer application data (9F10).")
        }
        guard
            let data = IssuerApplicationData(
                issuerData, applicationIdentifier: value(0x84) ?? value(0x4F) ?? value(0x9F06)),
            let scheme = data.scheme
        else {
            throw CommandFailure(
                .malformedInput, "The issuer application data (9F10) name no cryptogram version that is known here.")
        }
        let derivation = input.derivation ?? (scheme.cipher == .aes ? .optionC : .optionA)
        guard derivation.cipher == scheme.cipher else {
            throw CommandFailure(
                .usage,
                scheme.cipher == .aes
                    ? "This card's cryptogram is made with AES: its key is derived by --derivation c."
                    : "This card's cryptogram is made with triple DES: its key is derived by --derivation a or b.")
        }
        guard scheme.cipher.keyLengths.contains(input.masterKey.count) else {
            throw CommandFailure(.usage, "This card's cryptogram is made with triple DES: its key has 32 hex digits.")
        }
        let chosen = try code.map { text throws(CommandFailure) in try Self.code(text, scheme) }
        self.scheme = scheme
        self.issuerData = data
        self.sent = sent
        information = value(0x9F27).flatMap { $0.count == 1 ? $0[0] : nil }
        do throws(CryptogramError) {
            let cardKey = try derivation.cardKey(
                issuerMasterKey: input.masterKey, pan: input.pan, panSequenceNumber: input.sequence)
            let cryptogram = try ApplicationCryptogram(
                scheme: scheme, issuerApplicationData: data, cardKey: cardKey, value: value)
            isRight = try cryptogram.verifies(sent)
            if isRight, let chosen {
                answer = try IssuerAuthenticationData(to: sent, of: cryptogram, code: chosen)
            } else {
                answer = nil
            }
        } catch {
            throw CommandFailure(.malformedInput, error.description)
        }
    }

    /// Two characters are the response code, in the form that the scheme wants; more are hex digits of the scheme's own
    /// code as it stands: M/Chip's two bytes, or a card status update with up to eight bytes behind it.
    private static func code(_ text: String, _ scheme: CryptogramScheme) throws(CommandFailure) -> [UInt8] {
        let characters = Array(text.utf8)
        if characters.count == 2, text.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) }) {
            return IssuerAuthenticationData.code(of: scheme, responseCode: characters, approves: text == "00")
        }
        let lengths =
            switch scheme.responseMethod {
            case .method1: 2...2
            case .method2: 4...12
            }
        guard let bytes = HexDigits.bytes(of: characters), lengths.contains(bytes.count) else {
            throw CommandFailure(
                .usage,
                "--arpc takes a response code of two characters, or for this scheme "
                    + (lengths == 2...2 ? "4" : "8 to 24") + " hex digits.")
        }
        return bytes
    }

    /// By the first two bits of tag 9F27 (Book 3, 6.5.5.4).
    var kind: String? {
        information.map { information in
            switch information & 0xC0 {
            case 0x00: "AAC"
            case 0x40: "TC"
            case 0x80: "ARQC"
            default: "reserved"
            }
        }
    }
}
