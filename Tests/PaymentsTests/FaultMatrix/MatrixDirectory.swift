import Foundation
import Testing

/// A directory (0700) that goes away with its content at the end of the test.
final class MatrixDirectory: Sendable {
    let path: String

    init() throws {
        var template = Array("/tmp/matrix-test-XXXXXX".utf8CString)
        try #require(mkdtemp(&template) != nil)
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The bytes of every file in it: the database, its write-ahead log and its index.
    func contents() throws -> [String: Data] {
        var contents: [String: Data] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: path) where name != "running" {
            contents[name] = try Data(contentsOf: URL(fileURLWithPath: path + "/" + name))
        }
        return contents
    }
}
