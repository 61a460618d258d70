import Foundation

/// A directory of one test.
final class TemporaryPlace: Sendable {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "/apptoapp-" + UUID().uuidString
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ bytes: [UInt8], _ name: String) throws -> String {
        try Data(bytes).write(to: URL(fileURLWithPath: path + "/" + name))
        return path + "/" + name
    }

    func read(_ name: String) -> [UInt8]? {
        FileManager.default.contents(atPath: path + "/" + name).map(Array.init)
    }

    func names(in directory: String = "") -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path + "/" + directory)) ?? []).sorted()
    }

    func permissions(_ name: String) -> Int? {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path + "/" + name)
        return (attributes?[.posixPermissions] as? NSNumber)?.intValue
    }
}
