import Crypto

/// The block cipher under an issuer's keys: ALG of EMV Book 2, Annex A1.
public enum CryptogramCipher: String, Sendable, Hashable, CaseIterable {
    /// Keys of 16 bytes, blocks of 8; MAC by ISO/IEC 9797-1, algorithm 3.
    case tripleDES
    /// Keys of 16, 24 or 32 bytes, blocks of 16; MAC by CMAC.
    case aes

    /// Bytes in a block.
    public var blockLength: Int {
        switch self {
        case .tripleDES: TripleDES.blockLength
        case .aes: AES.blockLength
        }
    }

    /// Bytes in a key: one of these.
    public var keyLengths: [Int] {
        switch self {
        case .tripleDES: [TripleDES.keyLength]
        case .aes: AES.keyLengths
        }
    }

    /// Eight bytes (Annex A1.2). `padding` is that of the MAC with triple DES; CMAC does its own, and is cut to its eight
    /// leftmost bytes.
    func mac(
        of data: [UInt8], key: SecretBytes, padding: ISO9797Algorithm3.Padding = .method2
    ) throws(CryptogramError) -> [UInt8] {
        switch self {
        case .tripleDES:
            return try ISO9797Algorithm3(key: key).mac(of: data, padding: padding)
        case .aes:
            let code = try wrapping { () throws(CryptoError) in try AESCMAC.code(for: data, key: key) }
            return Array(code.prefix(8))
        }
    }

    /// The key, as long as `key`, that Annexes A1.3.1 and A1.4 both make: where a key is one block, that is `single`,
    /// encrypted; else the front of `pair`, both encrypted. DES keys get odd parity.
    func diversify(
        _ key: SecretBytes, single: [UInt8], pair: (left: [UInt8], right: [UInt8])
    ) throws(CryptogramError) -> SecretBytes {
        try wrapping { () throws(CryptoError) in
            var blocks: [UInt8]
            switch self {
            case .tripleDES:
                let cipher = try TripleDES(key: key)
                blocks = try cipher.encryptBlock(pair.left) + cipher.encryptBlock(pair.right)
                setOddParity(&blocks)
            case .aes:
                let cipher = try AES(key: key)
                blocks =
                    key.count == AES.blockLength
                    ? try cipher.encryptBlock(single)
                    : try cipher.encryptBlock(pair.left) + cipher.encryptBlock(pair.right)
            }
            defer { wipe(&blocks) }
            return SecretBytes(blocks.prefix(key.count))
        }
    }
}

/// Sets the lowest bit of each byte so that the byte has an odd number of ones, the form in which DES keys are compared.
func setOddParity(_ key: inout [UInt8]) {
    for index in key.indices where key[index].nonzeroBitCount % 2 == 0 {
        key[index] ^= 1
    }
}
