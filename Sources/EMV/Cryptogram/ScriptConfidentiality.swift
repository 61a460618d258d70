public import Crypto

/// The encryption of an issuer script command's data, such as a new PIN block (EMV Book 2, 9.3), with triple DES but for
/// the last case.
public enum ScriptConfidentiality: Sendable, Hashable, CaseIterable {
    /// Visa: a length byte first, always padded by method 2, each block by itself.
    case visa
    /// M/Chip: padded by method 2 only when it is no whole number of blocks, blocks chained.
    case mChip
    /// Common Core Definitions: always padded by method 2, blocks chained.
    case commonCore
    /// Common Core Definitions with AES: the same with blocks of sixteen bytes.
    case commonCoreAES

    /// A whole number of blocks. `data` has at most 255 bytes, those of a command; `key` is the card's session
    /// key for confidentiality, 16 bytes (24 or 32 are possible with AES), which comes about as the one for integrity does (`ScriptMAC`).
    public func encrypted(_ data: [UInt8], key: SecretBytes) throws(CryptogramError) -> [UInt8] {
        guard data.count <= 255 else { throw .argumentLength("command data", actual: data.count) }
        var blocks = padded(data)
        defer { wipe(&blocks) }
        if self == .commonCoreAES {
            return try wrapping { () throws(CryptoError) in try AES(key: key).encryptChain(blocks) }
        }
        let isChained = self != .visa
        return try wrapping { () throws(CryptoError) in
            let cipher = try TripleDES(key: key)
            var result: [UInt8] = []
            var chain = [UInt8](repeating: 0, count: TripleDES.blockLength)
            for start in stride(from: 0, to: blocks.count, by: TripleDES.blockLength) {
                var block = Array(blocks[start..<start + TripleDES.blockLength])
                defer { wipe(&block) }
                if isChained {
                    for index in block.indices { block[index] ^= chain[index] }
                }
                chain = try cipher.encryptBlock(block)
                result += chain
            }
            return result
        }
    }

    private func padded(_ data: [UInt8]) -> [UInt8] {
        switch self {
        case .visa: ISO9797Algorithm3.Padding.method2.apply(to: [UInt8(data.count)] + data)
        case .mChip where data.count % TripleDES.blockLength == 0: data
        case .mChip, .commonCore: ISO9797Algorithm3.Padding.method2.apply(to: data)
        case .commonCoreAES: ISO9797Algorithm3.Padding.method2.apply(to: data, blockLength: AES.blockLength)
        }
    }
}
