/// Arithmetic modulo an odd number inside the chip: Montgomery's method, 64 bits at a time. Written for this mock alone,
/// so that the terminal's crypto library is never checked against itself. Not constant in time: the keys are public.
struct CardModulus: Sendable {
    /// Little-endian words; the highest is not zero.
    let words: [UInt64]
    /// -1 / words[0] modulo 2^64.
    private let inverse: UInt64
    /// 2^(128 * words.count) modulo the number: takes a factor into Montgomery's form.
    private var square: [UInt64] = []

    /// Nil unless the number is odd and more than 1.
    init?(_ bytes: [UInt8]) {
        var words = Self.words(bytes)
        while words.last == 0 { words.removeLast() }
        guard let lowest = words.first, lowest & 1 == 1, words != [1] else { return nil }
        self.words = words
        // Newton's iteration doubles the number of right bits: 3, 6, 12, 24, 48, 96.
        var guess = lowest
        for _ in 0..<5 { guess = guess &* (2 &- lowest &* guess) }
        inverse = 0 &- guess
        square = reduce([UInt64](repeating: 0, count: 2 * words.count) + [1])
    }

    static func words(_ bytes: [UInt8]) -> [UInt64] {
        stride(from: bytes.count, to: 0, by: -8).map { end in
            bytes[max(0, end - 8)..<end].reduce(0) { $0 << 8 | UInt64($1) }
        }
    }

    /// The lowest `count` bytes, big-endian.
    static func bytes(_ words: [UInt64], count: Int) -> [UInt8] {
        (0..<count).reversed().map { index in
            index / 8 < words.count ? UInt8(truncatingIfNeeded: words[index / 8] >> UInt64(index % 8 * 8)) : 0
        }
    }

    /// Any number modulo this one, bit by bit from the top.
    func reduce(_ number: [UInt64]) -> [UInt64] {
        var rest = [UInt64](repeating: 0, count: words.count)
        for word in number.reversed() {
            for bit in (0..<64).reversed() {
                var carry = word >> UInt64(bit) & 1
                for index in rest.indices {
                    let high = rest[index] >> 63
                    rest[index] = rest[index] << 1 | carry
                    carry = high
                }
                if carry != 0 || !isLess(rest) { subtract(from: &rest) }
            }
        }
        return rest
    }

    /// left * right modulo this number; both below it.
    func product(_ left: [UInt64], _ right: [UInt64]) -> [UInt64] {
        montgomery(montgomery(left, right), square)
    }

    /// base ^ exponent modulo this number. `base` is below it, `exponent` big-endian.
    func power(_ base: [UInt64], _ exponent: [UInt8]) -> [UInt64] {
        var one = [UInt64](repeating: 0, count: words.count)
        one[0] = 1
        let factor = montgomery(base, square)
        var result = montgomery(one, square)
        for byte in exponent {
            for bit in (0..<8).reversed() {
                result = montgomery(result, result)
                if byte >> UInt8(bit) & 1 == 1 { result = montgomery(result, factor) }
            }
        }
        return montgomery(result, one)
    }

    /// left - right modulo this number; both below it.
    func difference(_ left: [UInt64], _ right: [UInt64]) -> [UInt64] {
        var result = left
        var borrow: UInt64 = 0
        for index in result.indices {
            let (first, under) = result[index].subtractingReportingOverflow(right[index])
            let (second, underAgain) = first.subtractingReportingOverflow(borrow)
            result[index] = second
            borrow = under || underAgain ? 1 : 0
        }
        guard borrow != 0 else { return result }
        var carry: UInt64 = 0
        for index in result.indices {
            let (first, over) = result[index].addingReportingOverflow(words[index])
            let (second, overAgain) = first.addingReportingOverflow(carry)
            result[index] = second
            carry = over || overAgain ? 1 : 0
        }
        return result
    }

    /// left * right / 2^(64 * words.count) modulo this number.
    private func montgomery(_ left: [UInt64], _ right: [UInt64]) -> [UInt64] {
        let count = words.count
        var sum = [UInt64](repeating: 0, count: count + 2)
        for factor in left {
            var carry: UInt64 = 0
            for index in 0..<count {
                (carry, sum[index]) = Self.multiply(factor, right[index], plus: sum[index], carry)
            }
            let (top, over) = sum[count].addingReportingOverflow(carry)
            sum[count] = top
            sum[count + 1] = over ? 1 : 0
            let quotient = sum[0] &* inverse
            (carry, _) = Self.multiply(quotient, words[0], plus: sum[0], 0)
            for index in 1..<max(count, 1) {
                (carry, sum[index - 1]) = Self.multiply(quotient, words[index], plus: sum[index], carry)
            }
            let (next, overAgain) = sum[count].addingReportingOverflow(carry)
            sum[count - 1] = next
            sum[count] = sum[count + 1] &+ (overAgain ? 1 : 0)
        }
        var result = Array(sum[..<count])
        if sum[count] != 0 || !isLess(result) { subtract(from: &result) }
        return result
    }

    /// left * right + first + second, which always fits two words.
    private static func multiply(
        _ left: UInt64, _ right: UInt64, plus first: UInt64, _ second: UInt64
    ) -> (high: UInt64, low: UInt64) {
        var (high, low) = left.multipliedFullWidth(by: right)
        var over = false
        (low, over) = low.addingReportingOverflow(first)
        if over { high &+= 1 }
        (low, over) = low.addingReportingOverflow(second)
        if over { high &+= 1 }
        return (high, low)
    }

    private func isLess(_ number: [UInt64]) -> Bool {
        for index in words.indices.reversed() where number[index] != words[index] {
            return number[index] < words[index]
        }
        return false
    }

    private func subtract(from number: inout [UInt64]) {
        var borrow: UInt64 = 0
        for index in words.indices {
            let (first, under) = number[index].subtractingReportingOverflow(words[index])
            let (second, underAgain) = first.subtractingReportingOverflow(borrow)
            number[index] = second
            borrow = under || underAgain ? 1 : 0
        }
    }
}
