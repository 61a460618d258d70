/// Bytes as "80 CA 9F", for test failures and diffs.
func hexText(_ bytes: [UInt8]) -> String {
    bytes.map { byte in
        let digits = String(byte, radix: 16, uppercase: true)
        return digits.count == 1 ? "0" + digits : digits
    }
    .joined(separator: " ")
}
