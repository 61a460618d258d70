/// Why an answer to reset cannot be used (ISO/IEC 7816-3, 8.2).
public struct ATRError: Error, Sendable, Hashable {
    public enum Code: String, Sendable, Hashable, CaseIterable {
        case empty
        /// More than TS and 32 bytes.
        case tooLong
        /// TS is neither 3B nor 3F.
        case badInitialCharacter
        /// Ends before a byte that T0, a TD or the historical byte count announces.
        case truncated
        /// TCK is due and the exclusive-or of T0 to TCK is not zero.
        case badCheckCharacter
        /// Bytes follow where the answer must end.
        case trailingBytes
    }

    public var code: Code
    /// Of the wrong byte, or of the first byte that is missing, counted from TS at 0.
    public var offset: Int

    public init(_ code: Code, at offset: Int) {
        self.code = code
        self.offset = offset
    }
}

extension ATRError: CustomStringConvertible {
    public var description: String {
        let sentence =
            switch code {
            case .empty: "The answer to reset is empty."
            case .tooLong: "The answer to reset has more than 33 bytes."
            case .badInitialCharacter: "The answer to reset starts with neither 3B nor 3F."
            case .truncated: "The answer to reset ends before the bytes that it announces."
            case .badCheckCharacter: "The check character of the answer to reset is wrong."
            case .trailingBytes: "Bytes follow the end of the answer to reset."
            }
        return "\(sentence) (offset \(offset))"
    }
}
