/// Ids of transactions: 26 characters of Crockford's base 32 holding 48 bits of time and 80 random bits, so that they
/// sort by time, can be read out on the telephone, and do not repeat over restarts.
public enum TransactionID {
    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")

    /// - Parameter milliseconds: since 1970, UTC.
    public static func make(atMilliseconds milliseconds: Int64, random: any RandomSource) -> String {
        var text = ""
        let time = UInt64(clamping: milliseconds)
        for shift in stride(from: 45, through: 0, by: -5) {
            text.append(alphabet[Int(time >> UInt64(shift) & 31)])
        }
        for byte in random.bytes(16) {
            text.append(alphabet[Int(byte & 31)])
        }
        return text
    }
}
