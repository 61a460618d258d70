import FoundationEssentials
import Testing

@testable import Configuration

/// What the tests share: the checkout's documents, and reading a text.
enum Files {
    static func read(_ name: String) throws -> String {
        let checkout = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return String(decoding: try Data(contentsOf: checkout.appending(path: name)), as: UTF8.self)
    }

    static func example() throws -> [UInt8] { Array(try read("docs/examples/readerkit.json").utf8) }
}

/// The lines of the problems that a text has.
func problems(_ json: String, _ location: SourceLocation = #_sourceLocation) throws -> [String] {
    try #require(throws: ConfigurationError.self, sourceLocation: location) {
        try KioskConfiguration(json: Array(json.utf8))
    }.lines
}

func configuration(_ json: String) throws(ConfigurationError) -> KioskConfiguration {
    try KioskConfiguration(json: Array(json.utf8))
}
