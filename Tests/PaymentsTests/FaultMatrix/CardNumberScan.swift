import Foundation

/// Looks for the test cards' account numbers where they must never be. The numbers are the schemes' published test ones.
enum CardNumberScan {
    static let numbers = [
        "4761739001010119", "5413330089600044", "4111111111111111", "4012888888881881", "5555555555554444",
        "5105105105105100", "6799998900000060018",
    ]

    /// As digits, with or without separators; as hex text, it is the same.
    static func finds(in text: String) -> Bool {
        let separators = Set(" -.,\t\n".utf8)
        let digits = Data(text.utf8.filter { !separators.contains($0) })
        return numbers.contains { digits.range(of: Data($0.utf8)) != nil }
    }

    /// As text, in UTF-16 and as packed digits (format cn, as on the card).
    static func finds(inFile bytes: Data) -> Bool {
        numbers.contains { number in
            let patterns = [
                Data(number.utf8), Data(number.utf8.flatMap { [$0, 0] }), packed(number),
                Data(
                    stride(from: 0, to: number.utf8.count, by: 4).map { start in
                        String(number.dropFirst(start).prefix(4))
                    }.joined(separator: " ").utf8),
            ]
            return patterns.contains { bytes.range(of: $0) != nil }
        }
    }

    /// Whole bytes of the number only: what follows an odd one is padding or a separator.
    static func packed(_ number: String) -> Data {
        let digits = number.compactMap(\.wholeNumberValue).map(UInt8.init)
        return Data(stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] })
    }
}
