/// Derived unique keys per transaction with two-key triple DES (ANSI X9.24-1:2009, annex A).
struct DUKPTKey: Sendable, Hashable {
    /// 16 bytes.
    let bytes: [UInt8]

    /// The key of a transaction: from the base derivation key and all of the key serial number.
    /// - Parameter keySerialNumber: ten bytes, whose last 21 bits count.
    init(baseKey: [UInt8], keySerialNumber: [UInt8]) {
        var key = Self.initialKey(baseKey: baseKey, keySerialNumber: keySerialNumber)
        let counter = Self.counter(keySerialNumber)
        var register = DESBlock.word(keySerialNumber.suffix(8)) & ~UInt64(0x1F_FFFF)
        for bit in (0..<21).reversed() where counter >> UInt64(bit) & 1 != 0 {
            register |= 1 << UInt64(bit)
            key = Self.next(key, register)
        }
        bytes = key
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The key that is loaded into the device (A.6).
    static func initialKey(baseKey: [UInt8], keySerialNumber: [UInt8]) -> [UInt8] {
        let serial = DESBlock.word(keySerialNumber.prefix(8)) & ~UInt64(0x1F)
        return half(baseKey, serial) + half(masked(baseKey, Self.variant), serial)
    }

    /// For data from the device, or both ways (A.4.1): the variant of the key, enciphered under itself.
    var dataKey: DUKPTKey {
        let variant = Self.masked(bytes, [0, 0, 0, 0, 0, 0xFF, 0, 0])
        return DUKPTKey(
            bytes: Self.half(variant, DESBlock.word(variant.prefix(8)))
                + Self.half(variant, DESBlock.word(variant.suffix(8))))
    }

    /// CBC with a zero IV; the data is filled up with zeros.
    func encrypt(_ data: [UInt8]) -> [UInt8] {
        let (left, right) = (DESBlock(key: bytes.prefix(8)), DESBlock(key: bytes.suffix(8)))
        var chain: UInt64 = 0
        return stride(from: 0, to: data.count, by: 8).flatMap { start in
            let block = chain ^ DESBlock.word(data[start...].prefix(8))
            chain = left.encrypt(right.decrypt(left.encrypt(block)))
            return DESBlock.bytes(chain)
        }
    }

    /// The inverse of `encrypt`, with its zeros.
    func decrypt(_ data: [UInt8]) -> [UInt8] {
        let (left, right) = (DESBlock(key: bytes.prefix(8)), DESBlock(key: bytes.suffix(8)))
        var chain: UInt64 = 0
        return stride(from: 0, to: data.count, by: 8).flatMap { start in
            let block = DESBlock.word(data[start...].prefix(8))
            defer { chain = block }
            return DESBlock.bytes(left.decrypt(right.encrypt(left.decrypt(block))) ^ chain)
        }
    }

    static func counter(_ keySerialNumber: [UInt8]) -> UInt64 {
        DESBlock.word(keySerialNumber.suffix(8)) & 0x1F_FFFF
    }

    /// The next key serial number: counters with more than ten ones are left out (A.2).
    static func after(_ keySerialNumber: [UInt8]) -> [UInt8] {
        var counter = counter(keySerialNumber)
        repeat { counter = (counter + 1) & 0x1F_FFFF } while counter.nonzeroBitCount > 10 || counter == 0
        let rest = DESBlock.word(keySerialNumber.suffix(8)) & ~UInt64(0x1F_FFFF)
        return keySerialNumber.dropLast(8) + DESBlock.bytes(rest | counter)
    }

    private static let variant: [UInt8] = [0xC0, 0xC0, 0xC0, 0xC0, 0, 0, 0, 0]

    /// Non-reversible key generation (A.3).
    private static func next(_ key: [UInt8], _ register: UInt64) -> [UInt8] {
        func part(_ key: [UInt8]) -> UInt64 {
            let right = DESBlock.word(key.suffix(8))
            return DESBlock(key: key.prefix(8)).encrypt(register ^ right) ^ right
        }
        return DESBlock.bytes(part(masked(key, variant))) + DESBlock.bytes(part(key))
    }

    /// Triple DES of one block.
    private static func half(_ key: [UInt8], _ block: UInt64) -> [UInt8] {
        let left = DESBlock(key: key.prefix(8))
        return DESBlock.bytes(left.encrypt(DESBlock(key: key.suffix(8)).decrypt(left.encrypt(block))))
    }

    private static func masked(_ key: [UInt8], _ mask: [UInt8]) -> [UInt8] {
        key.enumerated().map { $1 ^ mask[$0 % 8] }
    }
}

extension DUKPTKey: CustomStringConvertible, CustomReflectable {
    var description: String { "(16 key bytes)" }
    var customMirror: Mirror { Mirror(self, children: []) }
}
