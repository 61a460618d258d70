import BERTLV
public import Crypto

/// The authorisation response cryptogram, by which a card knows its issuer's answer (EMV Book 2, 8.2).
public enum ARPC {
    /// Method 1, eight bytes: the cryptogram with the two-byte response code XORed on its front, encrypted with triple
    /// DES; the Book defines it for no other cipher. Tag 91 is then these eight bytes and the response code.
    public static func method1(
        key: SecretBytes, applicationCryptogram: [UInt8], responseCode: [UInt8]
    ) throws(CryptogramError) -> [UInt8] {
        guard applicationCryptogram.count == 8 else { throw .length(of: 0x9F26, actual: applicationCryptogram.count) }
        guard responseCode.count == 2 else { throw .length(of: 0x8A, actual: responseCode.count) }
        var block = applicationCryptogram
        block[0] ^= responseCode[0]
        block[1] ^= responseCode[1]
        return try wrapping { () throws(CryptoError) in try TripleDES(key: key).encryptBlock(block) }
    }

    /// Method 2, four bytes: the front of a MAC over cryptogram, card status update (four bytes) and proprietary data
    /// (0 to 8 bytes). Tag 91 is then these four bytes, the card status update and the proprietary data.
    public static func method2(
        key: SecretBytes, applicationCryptogram: [UInt8], cardStatusUpdate: [UInt8], proprietaryData: [UInt8] = [],
        cipher: CryptogramCipher = .tripleDES
    ) throws(CryptogramError) -> [UInt8] {
        guard applicationCryptogram.count == 8 else { throw .length(of: 0x9F26, actual: applicationCryptogram.count) }
        guard cardStatusUpdate.count == 4 else {
            throw .argumentLength("card status update", actual: cardStatusUpdate.count)
        }
        guard proprietaryData.count <= 8 else {
            throw .argumentLength("proprietary authentication data", actual: proprietaryData.count)
        }
        let data = applicationCryptogram + cardStatusUpdate + proprietaryData
        return Array(try cipher.mac(of: data, key: key).prefix(4))
    }
}
