/// The card chip's own AES (FIPS 197) with keys of 128 bits, encryption only, straight from the standard. Like its DES it
/// is deliberately not the library that the drivers and the issuer use.
struct AESBlock {
    private let roundKeys: [[UInt8]]

    /// `key`: 16 bytes.
    init(key: [UInt8]) {
        var words = stride(from: 0, to: 16, by: 4).map { Array(key[$0..<$0 + 4]) }
        var constant: UInt8 = 1
        while words.count < 44 {
            var word = words[words.count - 1]
            if words.count % 4 == 0 {
                word = [word[1], word[2], word[3], word[0]].map { Self.substitution[Int($0)] }
                word[0] ^= constant
                constant = Self.doubled(constant)
            }
            words.append(Self.sum(words[words.count - 4], word))
        }
        roundKeys = stride(from: 0, to: 44, by: 4).map { Array(words[$0..<$0 + 4].joined()) }
    }

    /// `block` and result: 16 bytes, column by column.
    func encrypt(_ block: [UInt8]) -> [UInt8] {
        var state = Self.sum(block, roundKeys[0])
        for round in 1...10 {
            // SubBytes and ShiftRows: row r takes its byte from r columns further on.
            state = (0..<16).map { Self.substitution[Int(state[($0 + 4 * ($0 % 4)) % 16])] }
            if round < 10 { state = Self.mixed(state) }
            state = Self.sum(state, roundKeys[round])
        }
        return state
    }

    /// CMAC (NIST SP 800-38B): 16 bytes.
    func cmac(_ message: [UInt8]) -> [UInt8] {
        let first = Self.doubledBlock(encrypt([UInt8](repeating: 0, count: 16)))
        var padded = message
        var subkey = first
        if message.isEmpty || message.count % 16 != 0 {
            padded.append(0x80)
            while padded.count % 16 != 0 { padded.append(0) }
            subkey = Self.doubledBlock(first)
        }
        var chain = [UInt8](repeating: 0, count: 16)
        for start in stride(from: 0, to: padded.count, by: 16) {
            var block = Array(padded[start..<start + 16])
            if start + 16 == padded.count { block = Self.sum(block, subkey) }
            chain = encrypt(Self.sum(chain, block))
        }
        return chain
    }

    /// MixColumns.
    private static func mixed(_ state: [UInt8]) -> [UInt8] {
        (0..<16).map { index in
            let column = index & ~3
            let (a, b) = (state[index], state[column + (index + 1) % 4])
            let (c, d) = (state[column + (index + 2) % 4], state[column + (index + 3) % 4])
            return doubled(a) ^ doubled(b) ^ b ^ c ^ d
        }
    }

    private static func sum(_ left: [UInt8], _ right: [UInt8]) -> [UInt8] {
        zip(left, right).map { $0 ^ $1 }
    }

    /// Times x in GF(2^8).
    private static func doubled(_ byte: UInt8) -> UInt8 {
        byte << 1 ^ (byte & 0x80 != 0 ? 0x1B : 0)
    }

    /// Times x in GF(2^128), for the subkeys of CMAC.
    private static func doubledBlock(_ block: [UInt8]) -> [UInt8] {
        var result = block.indices.map { block[$0] << 1 | ($0 < 15 ? block[$0 + 1] >> 7 : 0) }
        if block[0] & 0x80 != 0 { result[15] ^= 0x87 }
        return result
    }

    /// The S-box: the inverse in GF(2^8), found by walking the powers of 3 and of its inverse F6, then the affine map.
    private static let substitution: [UInt8] = {
        var box = [UInt8](repeating: 0x63, count: 256)
        var power: UInt8 = 1
        var inverse: UInt8 = 1
        repeat {
            power ^= doubled(power)
            inverse ^= inverse << 1
            inverse ^= inverse << 2
            inverse ^= inverse << 4
            if inverse & 0x80 != 0 { inverse ^= 0x09 }
            let turned = (1...4).map { inverse << UInt8($0) | inverse >> UInt8(8 - $0) }
            box[Int(power)] = turned.reduce(inverse, ^) ^ 0x63
        } while power != 1
        return box
    }()
}
