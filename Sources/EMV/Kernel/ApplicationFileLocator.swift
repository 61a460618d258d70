/// Tag 94 (Book 3, 10.2): which records to read, in order.
struct ApplicationFileLocator: Sendable, Hashable {
    struct Record: Sendable, Hashable {
        /// 1 ... 30.
        let file: UInt8
        /// 1 ... 255.
        let number: UInt8
        /// Takes part in offline data authentication.
        let isAuthenticated: Bool
    }

    let records: [Record]

    /// Nil when any rule on the entries is broken: length, reserved bits, ranges.
    init?(parsing value: [UInt8]) {
        guard !value.isEmpty, value.count % 4 == 0, value.count <= 252 else { return nil }
        var records: [Record] = []
        for start in stride(from: 0, to: value.count, by: 4) {
            let file = value[start] >> 3
            let (first, last, authenticated) = (value[start + 1], value[start + 2], value[start + 3])
            guard value[start] & 0x07 == 0, (1...30).contains(file), first >= 1, last >= first,
                Int(authenticated) <= Int(last) - Int(first) + 1
            else { return nil }
            for number in first...last {
                records.append(
                    Record(
                        file: file, number: number, isAuthenticated: Int(number) - Int(first) < Int(authenticated)))
            }
        }
        self.records = records
    }
}
