import Crypto

/// The PIN on its way to the card under the card's public key (Book 2, 7.2; Book 3, 6.5.12).
enum PINEncipherment {
    enum Failure: Error, Sendable, Hashable {
        /// The card did not give eight bytes as a challenge.
        case challenge
        /// The PIN block does not have eight bytes, or the random filler is not as long as the key leaves room.
        case length
        case crypto(CryptoError)
    }

    /// GET CHALLENGE: eight bytes, for one PIN.
    static let challengeCommand = CommandAPDU(cla: 0x00, ins: 0x84, p1: 0, p2: 0, expectedLength: 256)

    /// Bytes of random filler that a key of this size needs.
    static func fillerLength(for key: RSAPublicKey) -> Int { key.modulus.count - 17 }

    /// VERIFY with 7F, PIN block, challenge and filler, enciphered.
    /// - Parameters:
    ///   - pinBlock: eight bytes, format 2: `2N`, the digits, F to the end.
    ///   - filler: unpredictable bytes, `fillerLength(for:)` of them, fresh for each try.
    static func command(
        pinBlock: SecretBytes, challenge: [UInt8], filler: [UInt8], key: RSAPublicKey
    ) throws(Failure) -> CommandAPDU {
        guard challenge.count == 8 else { throw .challenge }
        guard pinBlock.count == 8, filler.count == fillerLength(for: key) else { throw .length }
        var block = [0x7F] + pinBlock.withBytes { Array($0) } + challenge + filler
        defer { wipe(&block) }
        do throws(CryptoError) {
            let data = try key.encipher(SecretBytes(block))
            return CommandAPDU(cla: 0x00, ins: 0x20, p1: 0, p2: 0x88, data: data)
        } catch {
            throw .crypto(error)
        }
    }
}
