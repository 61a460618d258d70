/// A private RSA key inside the chip, with the numbers of the Chinese remainder theorem (PKCS #1, 3.2).
struct CardRSAKey: Sendable {
    /// Bytes in the modulus.
    let size: Int
    private let p: CardModulus
    private let q: CardModulus
    private let exponentP: [UInt8]
    private let exponentQ: [UInt8]
    private let coefficient: [UInt64]

    init(_ file: CardFile.PrivateKey, file name: String) throws(CardProfileError) {
        func value(_ text: String) throws(CardProfileError) -> [UInt8] {
            guard let result = bytes(fromHexadecimal: text), (32...248).contains(result.count) else {
                throw CardProfileError(name, "a key's numbers are 32 to 248 bytes in hexadecimal")
            }
            return result
        }
        size = try value(file.modulus).count
        guard let p = CardModulus(try value(file.p)), let q = CardModulus(try value(file.q)),
            p.words.count == q.words.count
        else { throw CardProfileError(name, "a key's p and q are odd and of one length") }
        self.p = p
        self.q = q
        exponentP = try value(file.exponentP)
        exponentQ = try value(file.exponentQ)
        coefficient = p.reduce(CardModulus.words(try value(file.coefficient)))
    }

    /// block ^ d modulo the modulus: signs and deciphers. `block` and the result have `size` bytes.
    func apply(to block: [UInt8]) -> [UInt8] {
        let number = CardModulus.words(block)
        let first = p.power(p.reduce(number), exponentP)
        let second = q.power(q.reduce(number), exponentQ)
        // second + q * ((first - second) / q mod p)
        let factor = p.product(p.difference(first, p.reduce(second)), coefficient)
        var result = [UInt64](repeating: 0, count: 2 * q.words.count)
        for (index, word) in second.enumerated() { result[index] = word }
        for (offset, left) in factor.enumerated() {
            var carry: UInt64 = 0
            for (index, right) in q.words.enumerated() {
                let (high, low) = left.multipliedFullWidth(by: right)
                let (sum, over) = result[offset + index].addingReportingOverflow(low)
                let (total, overAgain) = sum.addingReportingOverflow(carry)
                result[offset + index] = total
                carry = high &+ (over ? 1 : 0) &+ (overAgain ? 1 : 0)
            }
            var index = offset + q.words.count
            while carry != 0, index < result.count {
                let (sum, over) = result[index].addingReportingOverflow(carry)
                result[index] = sum
                carry = over ? 1 : 0
                index += 1
            }
        }
        return CardModulus.bytes(result, count: size)
    }
}
