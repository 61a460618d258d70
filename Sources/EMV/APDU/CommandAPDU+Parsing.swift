extension CommandAPDU {
    /// From the bytes of a short command, cases 1 to 4 (ISO 7816-4, 5.1): 4 to 261 bytes. Nil when the length byte and the
    /// data do not fit.
    public init?(parsing bytes: [UInt8]) {
        guard (4...261).contains(bytes.count) else { return nil }
        self.init(cla: bytes[0], ins: bytes[1], p1: bytes[2], p2: bytes[3])
        if bytes.count == 4 { return }
        let length = Int(bytes[4])
        if bytes.count == 5 {
            expectedLength = length == 0 ? 256 : length
            return
        }
        guard length > 0, bytes.count == 5 + length || bytes.count == 6 + length else { return nil }
        data = Array(bytes[5..<5 + length])
        if bytes.count == 6 + length {
            expectedLength = bytes[5 + length] == 0 ? 256 : Int(bytes[5 + length])
        }
    }
}
