/// Keys that a secured reader changes with every transaction, on the side of the host that holds the base derivation key
/// (ANSI X9.24-1:2009, annex A: DUKPT with two-key triple DES).
public struct TripleDESDUKPT: Sendable {
    /// Bytes in a key serial number: key set and device, then 21 bits of counter.
    public static let keySerialNumberLength = 10

    private let base: SecretBytes

    /// Throws `keyLength` unless the base derivation key has 16 bytes.
    public init(baseDerivationKey: SecretBytes) throws(CryptoError) {
        guard baseDerivationKey.count == TripleDES.keyLength else {
            throw .keyLength(expected: TripleDES.keyLength, actual: baseDerivationKey.count)
        }
        base = baseDerivationKey
    }

    /// The key that the reader's data are encrypted with: the variant "data encryption, request or both ways", encrypted
    /// under itself.
    ///
    /// Throws `blockLength` unless the serial number has 10 bytes.
    public func dataKey(_ keySerialNumber: [UInt8]) throws(CryptoError) -> SecretBytes {
        var key = try transactionKey(keySerialNumber)
        defer { wipe(&key) }
        var variant = Self.exclusiveOr(key, Self.dataVariant)
        defer { wipe(&variant) }
        let cipher = try TripleDES(key: SecretBytes(variant))
        var derived = try cipher.encryptBlock(Array(variant[..<8])) + cipher.encryptBlock(Array(variant[8...]))
        defer { wipe(&derived) }
        return SecretBytes(derived)
    }

    /// Cipher block chaining with a zero IV, as readers do it.
    ///
    /// - Parameter cipherText: whole blocks of 8 bytes.
    /// - Throws: `blockLength` unless both have their lengths.
    public func decrypt(_ cipherText: [UInt8], keySerialNumber: [UInt8]) throws(CryptoError) -> [UInt8] {
        guard cipherText.count % TripleDES.blockLength == 0 else {
            throw .blockLength(expected: TripleDES.blockLength, actual: cipherText.count % TripleDES.blockLength)
        }
        let cipher = try TripleDES(key: try dataKey(keySerialNumber))
        var plain: [UInt8] = []
        var previous = [UInt8](repeating: 0, count: TripleDES.blockLength)
        for start in stride(from: 0, to: cipherText.count, by: TripleDES.blockLength) {
            let block = Array(cipherText[start..<start + TripleDES.blockLength])
            plain += Self.exclusiveOr(try cipher.decryptBlock(block), previous)
            previous = block
        }
        return plain
    }

    private func transactionKey(_ serial: [UInt8]) throws(CryptoError) -> [UInt8] {
        guard serial.count == Self.keySerialNumberLength else {
            throw .blockLength(expected: Self.keySerialNumberLength, actual: serial.count)
        }
        var key = try initialKey(serial)
        let counter = UInt32(serial[7] & 0x1F) << 16 | UInt32(serial[8]) << 8 | UInt32(serial[9])
        var register = Array(serial[2...])
        register[5] &= 0xE0
        register[6] = 0
        register[7] = 0
        for bit in (0..<21).reversed() where counter >> UInt32(bit) & 1 != 0 {
            register[7 - bit / 8] |= 1 << UInt8(bit % 8)
            var masked = Self.exclusiveOr(key, Self.keyMask)
            let next = try Self.half(register, masked) + Self.half(register, key)
            wipe(&masked)
            wipe(&key)
            key = next
        }
        return key
    }

    /// What was loaded into the reader.
    private func initialKey(_ serial: [UInt8]) throws(CryptoError) -> [UInt8] {
        var device = Array(serial[..<8])
        device[7] &= 0xE0
        var masked = base.withBytes { Self.exclusiveOr(Array($0), Self.keyMask) }
        defer { wipe(&masked) }
        return try TripleDES(key: base).encryptBlock(device)
            + TripleDES(key: SecretBytes(masked)).encryptBlock(device)
    }

    private static func half(_ register: [UInt8], _ key: [UInt8]) throws(CryptoError) -> [UInt8] {
        let right = Array(key[8...])
        let cipher = try SingleDES(key: SecretBytes(key[..<8]))
        return exclusiveOr(try cipher.encryptBlock(exclusiveOr(register, right)), right)
    }

    private static func exclusiveOr(_ left: [UInt8], _ right: [UInt8]) -> [UInt8] {
        zip(left, right).map { $0 ^ $1 }
    }

    private static let keyMask: [UInt8] = [
        0xC0, 0xC0, 0xC0, 0xC0, 0, 0, 0, 0, 0xC0, 0xC0, 0xC0, 0xC0, 0, 0, 0, 0,
    ]
    private static let dataVariant: [UInt8] = [0, 0, 0, 0, 0, 0xFF, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0, 0]
}
