import Crypto

/// What an EMV signature with message recovery holds (Book 2, A2.1): 6A, format, fields, SHA-1 hash, BC.
struct SignedData: Sendable, Hashable {
    enum Format: UInt8, Sendable {
        case issuerCertificate = 0x02
        case staticApplicationData = 0x03
        /// Also of the PIN encipherment key.
        case iccCertificate = 0x04
        case dynamicApplicationData = 0x05
    }

    /// From the format byte to the byte before the hash: what was signed and recovered.
    let message: [UInt8]
    /// 20 bytes.
    let hash: [UInt8]

    /// The bytes that are neither fields nor key: 6A in front, hash and BC behind.
    static let overhead = 1 + SHA1.length + 1

    init(
        recovering signature: [UInt8], with key: RSAPublicKey, format: Format
    ) throws(CertificateFault) {
        let data: [UInt8]
        do throws(CryptoError) {
            data = try key.recover(signature)
        } catch {
            if case .blockLength = error { throw .length }
            throw .notRecovered
        }
        guard data.last == 0xBC else { throw .trailer }
        guard data.first == 0x6A else { throw .header }
        guard data[1] == format.rawValue else { throw .format }
        let end = data.count - 1 - SHA1.length
        message = Array(data[1..<end])
        hash = Array(data[end..<end + SHA1.length])
    }

    /// Checks the hash over the message and what is signed but not part of it.
    func verifyHash(with others: [UInt8]) throws(CertificateFault) {
        guard let digest = try? SHA1.digest(of: message + others) else { throw .notRecovered }
        guard digest == hash else { throw .hash }
    }

    /// Algorithm 01, in the byte at `index` of the message.
    func checkHashAlgorithm(at index: Int) throws(CertificateFault) {
        guard message[index] == 0x01 else { throw .hashAlgorithm }
    }
}
