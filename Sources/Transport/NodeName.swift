import Glibc

/// The name of a device node without links in it. Not by realpath(3): umockdev's preload answers a pointer there that
/// free(3) does not take.
package enum NodeName {
    /// `/dev/serial/by-id/…` becomes `/dev/ttyUSB0`. Nil when nothing is there. Links in the directories of the path stay.
    package static func resolved(_ path: String) -> String? {
        var path = path
        // As many links as the kernel follows.
        for _ in 0..<40 {
            guard let target = linkTarget(path) else {
                var status = stat()
                return stat(path, &status) == 0 ? path : nil
            }
            path = target.hasPrefix("/") ? target : joined(path, target)
        }
        return nil
    }

    package static func linkTarget(_ path: String) -> String? {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = readlink(path, &buffer, buffer.count)
        guard count > 0 else { return nil }
        return String(decoding: buffer[0..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private static func joined(_ link: String, _ target: String) -> String {
        var parts = link.split(separator: "/").dropLast()
        for part in target.split(separator: "/") where part != "." {
            if part == ".." { _ = parts.popLast() } else { parts.append(part) }
        }
        return (link.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
    }
}
