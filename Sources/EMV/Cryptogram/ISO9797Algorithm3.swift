public import Crypto

/// The "retail MAC" of ISO/IEC 9797-1, algorithm 3 with DES: CBC with the key's left half, and the last block decrypted
/// with the right half and encrypted with the left (EMV Book 2, A1.2.1).
public struct ISO9797Algorithm3: Sendable {
    /// How data that is not a whole number of blocks is filled up (ISO/IEC 9797-1, 6.3).
    public enum Padding: Sendable, Hashable {
        /// Zeros, and only when needed.
        case method1
        /// The byte 80 always, then zeros when needed.
        case method2

        func apply(to data: [UInt8], blockLength: Int = TripleDES.blockLength) -> [UInt8] {
            var padded = data
            if self == .method2 { padded.append(0x80) }
            let rest = padded.count % blockLength
            if rest != 0 || padded.isEmpty {
                padded.append(contentsOf: repeatElement(0, count: blockLength - rest))
            }
            return padded
        }
    }

    private let left: SingleDES
    private let right: SingleDES

    /// Throws unless `key` has 16 bytes.
    public init(key: SecretBytes) throws(CryptogramError) {
        guard key.count == TripleDES.keyLength else {
            throw .crypto(.keyLength(expected: TripleDES.keyLength, actual: key.count))
        }
        let (left, right) = key.withBytes { (SecretBytes($0.prefix(8)), SecretBytes($0.suffix(8))) }
        self.left = try wrapping { () throws(CryptoError) in try SingleDES(key: left) }
        self.right = try wrapping { () throws(CryptoError) in try SingleDES(key: right) }
    }

    /// Eight bytes.
    public func mac(of data: [UInt8], padding: Padding) throws(CryptogramError) -> [UInt8] {
        let padded = padding.apply(to: data)
        return try wrapping { () throws(CryptoError) in
            var chain = [UInt8](repeating: 0, count: TripleDES.blockLength)
            for start in stride(from: 0, to: padded.count, by: TripleDES.blockLength) {
                for index in chain.indices { chain[index] ^= padded[start + index] }
                chain = try left.encryptBlock(chain)
            }
            return try left.encryptBlock(right.decryptBlock(chain))
        }
    }
}
