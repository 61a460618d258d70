import Crypto
import Gateways
import ISO8583

/// A key as a file of hexadecimal digits; white space is skipped.
enum KeyFile {
    static func read(_ path: String, _ lengths: ClosedRange<Int>) throws(CommandFailure) -> SecretBytes {
        var text = try InputFile.read(path, limit: 4_096)
        defer { wipe(&text) }
        var digits = text.filter { ![0x09, 0x0A, 0x0D, 0x20].contains($0) }
        defer { wipe(&digits) }
        guard var bytes = ISO8583.HexDigits.decode(digits), lengths.contains(bytes.count) else {
            let wanted = lengths.count == 1 ? "\(lengths.lowerBound)" : "\(lengths.lowerBound) to \(lengths.upperBound)"
            throw CommandFailure(named: "The key file '\(path)' is not \(wanted) bytes in hexadecimal digits.")
        }
        defer { wipe(&bytes) }
        return SecretBytes(bytes)
    }
}

/// A profile by its name, or by the path of its file.
enum HostProfile {
    static func load(_ name: String) throws(CommandFailure) -> Profile {
        do throws(ProfileError) {
            if let profile = try Profile.builtIn(name) { return profile }
            return try Profile(json: try file(name))
        } catch {
            throw CommandFailure(named: "The profile '\(name)' cannot be used. \(error)")
        }
    }

    private static func file(_ path: String) throws(ProfileError) -> [UInt8] {
        do throws(CommandFailure) {
            return try InputFile.read(path, limit: 1 << 20)
        } catch {
            throw .unreadable
        }
    }
}

extension ISO8583GatewayOptions.MACMethod {
    /// Bytes of a key.
    var keyLengths: ClosedRange<Int> { self == .retail ? 16...16 : 16...64 }
}
