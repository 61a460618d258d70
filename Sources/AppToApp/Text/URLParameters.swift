/// A request or reply URL taken apart as raw text: `scheme://k=v&k=v`, with or without a `?` before the first pair.
///
/// No URL type is used: such a URL has no query for one, and what it takes for the host it decodes before the pairs are
/// split, so that an escaped `&` inside a value would begin another key.
public struct URLParameters: Sendable, Hashable {
    public struct Parameter: Sendable, Hashable {
        public let key: String
        /// Nil when the piece has no `=`.
        public let value: String?
    }

    /// A piece that cannot be decoded. The others stand.
    public struct Fault: Sendable, Hashable {
        /// Nil when the key itself is broken.
        public let key: String?
        public let reason: PercentCodingError
    }

    /// The longest text that is read, in bytes.
    public static let largestText = 65_536

    /// In lower case.
    public let scheme: String
    /// In the order of the text.
    public private(set) var parameters: [Parameter] = []
    public private(set) var faults: [Fault] = []

    public init(parsing text: String) throws(URLTextError) {
        let bytes = Array(text.utf8)
        guard bytes.count <= Self.largestText else { throw .tooLong }
        // It stands where somebody has already repaired bytes that are not UTF-8.
        guard !text.unicodeScalars.contains("\u{FFFD}") else { throw .damaged }
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), ASCII.isSchemeName(bytes[..<colon]),
            bytes[colon...].starts(with: "://".utf8)
        else { throw .noScheme }
        scheme = ASCII.lowercased(String(decoding: bytes[..<colon], as: UTF8.self))
        readPieces(of: Self.pairs(bytes[(colon + 3)...], scheme: scheme))
    }

    /// Pairs alone, as they stand behind a reply's address.
    init(pairs text: String) {
        scheme = ""
        readPieces(of: Array(text.utf8)[...])
    }

    private static func pairs(_ rest: ArraySlice<UInt8>, scheme: String) -> ArraySlice<UInt8> {
        let mark = UInt8(ascii: "?")
        if scheme == "http" || scheme == "https" {
            return rest.firstIndex(of: mark).map { rest[($0 + 1)...] } ?? []
        }
        return rest.first == mark ? rest.dropFirst() : rest
    }

    private mutating func readPieces(of text: ArraySlice<UInt8>) {
        for piece in text.split(separator: UInt8(ascii: "&")) {
            let equals = piece.firstIndex(of: UInt8(ascii: "="))
            let key: String
            do throws(PercentCodingError) {
                key = try PercentCoding.decode(equals.map { piece[..<$0] } ?? piece)
            } catch {
                faults.append(Fault(key: nil, reason: error))
                continue
            }
            do throws(PercentCodingError) {
                let value = try equals.map { (index) throws(PercentCodingError) in
                    try PercentCoding.decode(piece[(index + 1)...])
                }
                parameters.append(Parameter(key: key, value: value))
            } catch {
                faults.append(Fault(key: key, reason: error))
            }
        }
    }
}

/// Why a text is not a request or reply URL at all.
public enum URLTextError: Error, Sendable, Hashable {
    /// More than `URLParameters.largestText` bytes.
    case tooLong
    /// It does not begin with `scheme://`.
    case noScheme
    /// The scheme is another one than `billpocket`.
    case otherScheme
    /// Its bytes were not UTF-8.
    case damaged
}

extension URLTextError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .tooLong: "The URL is too long: at most \(URLParameters.largestText) bytes."
        case .noScheme: "This is not a request: it must begin with billpocket://."
        case .otherScheme: "The scheme is not billpocket."
        case .damaged: "The URL holds bytes that are not UTF-8."
        }
    }
}
