import BERTLV

/// Data objects to be read, in one piece of memory, and two ways of reading them.
struct RawTLV {
    /// A card's field 55: fifteen objects in a template 77, 98 bytes.
    private static let record: [UInt8] = [
        0x77, 0x60, 0x9F, 0x26, 0x08, 0xF1, 0x49, 0xAF, 0x6E, 0x04, 0x0F, 0x75, 0x51, 0x9F, 0x27, 0x01, 0x80, 0x9F,
        0x10, 0x07, 0x06, 0x01, 0x12, 0x03, 0xA0, 0x00, 0x00, 0x9F, 0x36, 0x02, 0x00, 0x01, 0x9F, 0x37, 0x04, 0xAB,
        0xCD, 0xEF, 0x10, 0x95, 0x05, 0x00, 0x00, 0x00, 0x00, 0x00, 0x9A, 0x03, 0x18, 0x12, 0x31, 0x9C, 0x01, 0x01,
        0x9F, 0x02, 0x06, 0x00, 0x00, 0x00, 0x00, 0x01, 0x00, 0x9F, 0x03, 0x06, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
        0x9F, 0x1A, 0x02, 0x08, 0x40, 0x5F, 0x2A, 0x02, 0x08, 0x40, 0x82, 0x02, 0x18, 0x00, 0x9F, 0x33, 0x03, 0xE0,
        0xF8, 0xC8, 0x9F, 0x34, 0x03, 0x1E, 0x03, 0x00,
    ]
    static let objectsInARecord = 16

    let bytes: [UInt8]
    let records: Int

    init(records: Int) {
        self.records = records
        let length = Self.record.count
        bytes = [UInt8](unsafeUninitializedCapacity: records * length) { memory, count in
            for index in 0..<records * length { memory.initializeElement(at: index, to: Self.record[index % length]) }
            count = records * length
        }
    }

    /// All levels, by `TLVReader`. The number of objects.
    func read() -> Int {
        let span = bytes.span
        var count = 0
        var outer = TLVReader(range: 0..<span.count)
        while let step = outer.next(in: span) {
            guard case .object(let template) = step else { return -1 }
            count += 1
            var inner = TLVReader(range: template.valueRange, isTemplate: true)
            while let step = inner.next(in: span) {
                guard case .object = step else { return -1 }
                count += 1
            }
        }
        return count
    }

    /// All levels, by one `TLVOutline` that is emptied after each object of the top level, as a stream is read. The number
    /// of objects.
    func outline() -> Int {
        let span = bytes.span
        var count = 0
        var position = 0
        var outline = TLVOutline(options: TLVOptions())
        while case .object(let next) = outline.next(in: span, from: position, isAtEnd: true) {
            count += outline.entries.count
            outline.removeAll()
            position = next
        }
        return count
    }
}
