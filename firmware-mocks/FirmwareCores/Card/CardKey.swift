/// A key of the chip, two-key triple DES or AES, with the operations that a card performs (EMV Book 2, Annex A1).
struct CardKey: Sendable {
    enum Cipher: Sendable {
        case tripleDES, aes
    }

    /// 16 bytes.
    let bytes: [UInt8]
    let cipher: Cipher

    /// Nil unless there are 16 bytes.
    init?(_ bytes: [UInt8], cipher: Cipher = .tripleDES) {
        guard bytes.count == 16 else { return nil }
        self.bytes = bytes
        self.cipher = cipher
    }

    private init(left: UInt64, right: UInt64) {
        bytes = DESBlock.bytes(left) + DESBlock.bytes(right)
        cipher = .tripleDES
    }

    /// An AES key that another one makes of a block.
    private func encryptedKey(_ block: [UInt8]) -> CardKey {
        CardKey(bytes: AESBlock(key: bytes).encrypt(block), cipher: .aes)
    }

    private init(bytes: [UInt8], cipher: Cipher) {
        self.bytes = bytes
        self.cipher = cipher
    }

    /// Triple DES of one block.
    func encrypt(_ block: UInt64) -> UInt64 {
        let left = DESBlock(key: bytes.prefix(8))
        return left.encrypt(DESBlock(key: bytes.suffix(8)).decrypt(left.encrypt(block)))
    }

    /// ISO 9797-1 algorithm 3: eight bytes. Method 1 adds zeros only where they are needed, method 2 always adds 80.
    /// With AES the front of CMAC, which pads by itself.
    func mac(_ message: [UInt8], padding: CardPadding) -> UInt64 {
        if cipher == .aes { return DESBlock.word(AESBlock(key: bytes).cmac(message)) }
        var padded = message
        if padding == .method2 { padded.append(0x80) }
        while padded.count % 8 != 0 { padded.append(0) }
        let left = DESBlock(key: bytes.prefix(8))
        var chain: UInt64 = 0
        for start in stride(from: 0, to: padded.count, by: 8) {
            chain = left.encrypt(chain ^ DESBlock.word(padded[start..<start + 8]))
        }
        return left.encrypt(DESBlock(key: bytes.suffix(8)).decrypt(chain))
    }

    /// The card's own key from the issuer's (option A: the rightmost 16 digits of PAN and sequence number; with AES
    /// option C: all of them).
    func cardKey(pan: String, sequenceNumber: UInt8) -> CardKey {
        let sequence = "\(sequenceNumber / 10 % 10)\(sequenceNumber % 10)"
        let digits = String(repeating: "0", count: 32) + pan + sequence
        if cipher == .aes {
            let values = digits.suffix(32).map { UInt8($0.wholeNumberValue ?? 0) }
            return encryptedKey(stride(from: 0, to: 32, by: 2).map { values[$0] << 4 | values[$0 + 1] })
        }
        var block: UInt64 = 0
        for digit in digits.suffix(16) {
            block = block << 4 | UInt64(digit.wholeNumberValue ?? 0)
        }
        return CardKey(left: Self.oddParity(encrypt(block)), right: Self.oddParity(encrypt(~block)))
    }

    /// A key for one transaction: R with its third byte replaced by F0 and by 0F (EMV Book 2, A1.3). With AES R is filled
    /// up with zeros and makes the whole key.
    func sessionKey(diversifier: [UInt8]) -> CardKey {
        if cipher == .aes {
            return encryptedKey(diversifier + [UInt8](repeating: 0, count: 16 - diversifier.count))
        }
        let block = DESBlock.word(diversifier) & ~0x0000_FF00_0000_0000
        return CardKey(
            left: Self.oddParity(encrypt(block | 0x0000_F000_0000_0000)),
            right: Self.oddParity(encrypt(block | 0x0000_0F00_0000_0000)))
    }

    /// Visa secure messaging: the counter and its complement on the last two bytes of each half.
    func visaMessagingKey(counter: UInt16) -> CardKey {
        CardKey(
            left: DESBlock.word(bytes.prefix(8)) ^ UInt64(counter),
            right: DESBlock.word(bytes.suffix(8)) ^ UInt64(~counter))
    }

    private static func oddParity(_ word: UInt64) -> UInt64 {
        DESBlock.word(DESBlock.bytes(word).map { $0.nonzeroBitCount % 2 == 0 ? $0 ^ 1 : $0 })
    }
}

enum CardPadding: Sendable {
    case method1, method2
}
