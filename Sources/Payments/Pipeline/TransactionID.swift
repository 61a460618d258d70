/// Ids of transactions: 26 characters of Crockford's base 32 holding 48 bits of time and 80 random bits, so that they
/// sort by time, can be read out on the telephone, and do not repeat over restarts.
public enum TransactionID {
    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

    /// - Parameter milliseconds: since 1970, UTC.
    public static func make(atMilliseconds milliseconds: Int64, random: any RandomSource) -> String {
        var text: [UInt8] = []
        let time = UInt64(clamping: milliseconds)
        for shift in stride(from: 45, through: 0, by: -5) {
            text.append(alphabet[Int(time >> UInt64(shift) & 31)])
        }
        for byte in random.bytes(16) {
            text.append(alphabet[Int(byte & 31)])
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// When an id was made, in milliseconds since 1970, UTC; nil for what is no such id.
    static func milliseconds(of id: String) -> Int64? {
        guard id.utf8.count == 26 else { return nil }
        var time: Int64 = 0
        for byte in id.utf8.prefix(10) {
            guard let digit = alphabet.firstIndex(of: byte) else { return nil }
            time = time << 5 | Int64(digit)
        }
        return time
    }
}
