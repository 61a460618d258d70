import Glibc
import JSONText
import Payments

/// Answers `billpocket://app`, and says whether this desktop sends `billpocket://` URLs here at all: the freedesktop.org
/// specification "Association between MIME types and applications".
struct SchemeRegistration: Sendable {
    let console: Console

    private static let type = "x-scheme-handler/billpocket"
    private static let desktopEntry = "readerkit.desktop"

    func report(json: Bool) -> ExitStatus {
        let handler = Self.handler()
        let isRegistered = handler == Self.desktopEntry
        if json {
            console.print(
                .object([
                    "installed": true, "version": .string(ProductVersion.text), "registered": .bool(isRegistered),
                    "handler": .optional(handler),
                ]))
        } else {
            console.print("ReaderKit \(ProductVersion.text) answers billpocket:// requests.")
        }
        if !isRegistered {
            let who = handler.map { "'\($0)' is" } ?? "No program is"
            console.note(
                "\(who) registered for billpocket://. To register ReaderKit, install readerkit.desktop and run: "
                    + "xdg-mime default \(Self.desktopEntry) \(Self.type)")
        }
        return .done
    }

    /// The desktop entry that comes first, in the order in which the places count.
    private static func handler() -> String? {
        func places(_ variable: String, _ standard: String) -> [String] {
            let value = getenv(variable).map { String(cString: $0) } ?? ""
            return (value.isEmpty ? standard : value).split(separator: ":").map(String.init)
        }
        let home = getenv("HOME").map { String(cString: $0) } ?? ""
        let configuration = places("XDG_CONFIG_HOME", home + "/.config") + places("XDG_CONFIG_DIRS", "/etc/xdg")
        let data =
            places("XDG_DATA_HOME", home + "/.local/share") + places("XDG_DATA_DIRS", "/usr/local/share:/usr/share")
        let files =
            configuration.map { $0 + "/mimeapps.list" } + data.map { $0 + "/applications/mimeapps.list" }
            + data.map { $0 + "/applications/mimeinfo.cache" }
        return files.lazy.compactMap { entry(in: $0) }.first
    }

    private static func entry(in path: String) -> String? {
        guard InputFile.exists(path), let bytes = try? InputFile.read(path, limit: 4 << 20) else { return nil }
        var counts = false
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            if line.hasPrefix("[") { counts = line != "[Removed Associations]" }
            guard counts, line.hasPrefix(type + "=") else { continue }
            return line.dropFirst(type.utf8.count + 1).split(separator: ";").first.map(String.init)
        }
        return nil
    }
}
