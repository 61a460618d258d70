import FoundationEssentials
import Glibc

/// The configuration file: JSON, every key optional. Keys that are not known are refused, so that a misspelt limit is not
/// silently without effect.
struct Configuration: Sendable {
    /// `simulator` is the only gateway of this version.
    var gateway = "simulator"
    var merchantName = "ReaderKit"
    var merchantID = "READERKIT000001"
    var merchantCategoryCode = "5999"
    var terminalID = "KIOSK001"
    /// Seconds.
    var cardTimeout = 60
    var hostTimeout = 60

    static let systemPath = "/etc/readerkit/readerkit.json"

    /// From `path`, else from the system's file when it is there, else the defaults.
    static func load(_ path: String?) throws(CommandFailure) -> Configuration {
        guard let path = path ?? (access(systemPath, F_OK) == 0 ? systemPath : nil) else { return Configuration() }
        let data: Data
        do {
            data = try Data(contentsOf: URL(filePath: path))
        } catch {
            throw CommandFailure(.usage, "The configuration file '\(path)' cannot be read.")
        }
        return try Configuration(data, path: path)
    }

    private init() {}

    init(_ data: Data, path: String) throws(CommandFailure) {
        let fields: [String: Field]
        do {
            fields = try JSONDecoder().decode([String: Field].self, from: data)
        } catch {
            throw CommandFailure(
                .usage, "The configuration file '\(path)' is not a JSON object.")
        }
        for (key, field) in fields {
            switch (key, field) {
            case ("gateway", .text("simulator")): break
            case ("merchantName", .text(let text)) where !text.isEmpty: merchantName = text
            case ("merchantId", .text(let text)) where (1...15).contains(text.utf8.count): merchantID = text
            case ("merchantCategoryCode", .text(let text)) where Self.isFourDigits(text):
                merchantCategoryCode = text
            case ("terminalId", .text(let text)) where text.utf8.count == 8: terminalID = text
            case ("cardTimeoutSeconds", .number(let number)) where (1...600).contains(number): cardTimeout = number
            case ("hostTimeoutSeconds", .number(let number)) where (1...600).contains(number): hostTimeout = number
            default:
                throw CommandFailure(
                    .usage, "The configuration file '\(path)' has a key '\(key)' that is unknown or out of range.")
            }
        }
    }

    private static func isFourDigits(_ text: String) -> Bool {
        text.utf8.count == 4 && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    private enum Field: Decodable {
        case text(String), number(Int)
        /// Refused with its key, whatever it is.
        case other

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let number = try? container.decode(Int.self) {
                self = .number(number)
            } else if let text = try? container.decode(String.self) {
                self = .text(text)
            } else {
                self = .other
            }
        }
    }
}
