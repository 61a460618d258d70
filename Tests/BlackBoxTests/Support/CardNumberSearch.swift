import Foundation

/// Finds the test cards' numbers in what a program wrote: as digits, in groups, as hex of digits or of their ASCII codes,
/// and packed two digits to a byte.
enum CardNumberSearch {
    /// The numbers of every built-in card profile.
    static let numbers = [
        "4761739001010119", "5413330089600044", "4111111111111111", "4012888888881881", "5555555555554444",
        "5105105105105100", "6799998900000060018",
    ]

    /// The numbers found, masked: a report of the tests must not spread them either.
    static func found(in bytes: [UInt8]) -> [String] {
        let all = Data(bytes)
        let squeezed = Data(bytes.filter { !isSeparator[Int($0)] })
        return numbers.filter { number in
            let digits = Data(number.utf8)
            let coded = Data(digits.flatMap { digit -> [UInt8] in [0x33, digit] })
            // By Foundation, which is quick in a debug build as well: every file of every test is searched.
            return squeezed.range(of: digits) != nil || squeezed.range(of: coded) != nil
                || all.range(of: packed(digits)) != nil
        }
        .map { "************" + $0.suffix(4) }
    }

    private static let isSeparator: [Bool] = (0...UInt8.max).map {
        [0x09, 0x0A, 0x0D, 0x20, 0x2D, 0x2E, 0x3A].contains($0)
    }

    /// Whole bytes only: an odd last digit stands beside a filler.
    private static func packed(_ digits: Data) -> Data {
        Data(stride(from: 0, to: digits.count - 1, by: 2).map { (digits[$0] & 0x0F) << 4 | digits[$0 + 1] & 0x0F })
    }
}
