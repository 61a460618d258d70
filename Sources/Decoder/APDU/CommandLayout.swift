/// The parts of a command (ISO/IEC 7816-4, 5.1), short or extended.
struct CommandLayout: Sendable, Hashable {
    /// The command data within the bytes.
    var data: Range<Int>
    /// Nil when the command asks for no data.
    var expected: Int?

    /// Nil when the lengths do not fit.
    init?(_ bytes: [UInt8]) {
        let count = bytes.count
        guard count >= 4 else { return nil }
        data = 4..<4
        switch count {
        case 4: return
        case 5: expected = bytes[4] == 0 ? 256 : Int(bytes[4])
        default:
            let short = Int(bytes[4])
            if short > 0, count == 5 + short || count == 6 + short {
                data = 5..<5 + short
                if count == 6 + short { expected = bytes[5 + short] == 0 ? 256 : Int(bytes[5 + short]) }
                return
            }
            guard short == 0, count >= 7 else { return nil }
            let long = Int(bytes[5]) << 8 | Int(bytes[6])
            if count == 7 {
                expected = long == 0 ? 65_536 : long
            } else if long > 0, count == 7 + long || count == 9 + long {
                data = 7..<7 + long
                if count == 9 + long {
                    let last = Int(bytes[count - 2]) << 8 | Int(bytes[count - 1])
                    expected = last == 0 ? 65_536 : last
                }
            } else {
                return nil
            }
        }
    }
}
