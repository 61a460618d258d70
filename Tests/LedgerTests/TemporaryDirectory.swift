import Foundation
import Glibc
import Testing

/// A directory (0700) that goes away with its content at the end of the test.
final class TemporaryDirectory: Sendable {
    let path: String

    init() throws {
        var template = Array("/tmp/ledger-test-XXXXXX".utf8CString)
        try #require(mkdtemp(&template) != nil)
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    var file: String { path + "/ledger.sqlite" }
}

func permissions(_ path: String) -> mode_t? {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & 0o777 : nil
}

func readFile(_ path: String) throws -> [UInt8] {
    let stream = try #require(fopen(path, "r"))
    defer { fclose(stream) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&chunk, 1, chunk.count, stream), count > 0 {
        bytes += chunk[..<count]
    }
    return bytes
}

func writeFile(_ path: String, _ bytes: [UInt8]) throws {
    let stream = try #require(fopen(path, "w"))
    defer { fclose(stream) }
    try #require(fwrite(bytes, 1, bytes.count, stream) == bytes.count)
}

func move(_ path: String, to other: String) -> Bool {
    rename(path, other) == 0
}
