import Foundation
import Testing

/// How a program ended, and everything it wrote.
struct Ended: Sendable {
    /// 128 + the signal when one ended it.
    var status: Int32
    var output: String
    var errors: String
    /// It was killed at its limit.
    var wasKilled: Bool

    /// Standard output as the one JSON object that it must be, with a line feed after it.
    func object(_ location: SourceLocation = #_sourceLocation) throws -> [String: Any] {
        let isOneLine = output.hasSuffix("\n") && !output.dropLast().contains("\n")
        #expect(isOneLine, "one document on one line: \(output)", sourceLocation: location)
        let value = try JSONSerialization.jsonObject(with: Data(output.utf8))
        return try #require(value as? [String: Any], sourceLocation: location)
    }

    /// A text of that object.
    func text(_ key: String, _ location: SourceLocation = #_sourceLocation) throws -> String {
        try #require(object(location)[key] as? String, "\(key) is a text", sourceLocation: location)
    }

    /// The objects under `key`.
    func list(_ key: String, _ location: SourceLocation = #_sourceLocation) throws -> [[String: Any]] {
        try #require(object(location)[key] as? [[String: Any]], "\(key) is a list", sourceLocation: location)
    }
}
