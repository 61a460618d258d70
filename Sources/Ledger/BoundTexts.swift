/// The texts of the statement that runs, one after another, where SQLite reads them without a copy of its own: sixty of them a
/// sale, each with an allocation. One for a connection, since only one of its statements runs at a time.
final class BoundTexts {
    private var storage = UnsafeMutableRawBufferPointer.allocate(byteCount: 4_096, alignment: 1)
    private var used = 0

    deinit {
        storage.deallocate()
    }

    /// Forgets the texts of the statement before, and makes room for those of `values`. What is added before the next call
    /// stays where it is.
    func begin(_ values: [SQLiteValue]) {
        var needed = 0
        for case .text(let text?) in values { needed += text.utf8.count }
        used = 0
        guard needed > storage.count else { return }
        storage.deallocate()
        storage = .allocate(byteCount: needed, alignment: 1)
    }

    /// The bytes of one of them. Nil when it was not among the values.
    func add(_ text: String) -> UnsafeRawBufferPointer? {
        var text = text
        return text.withUTF8 { bytes in
            guard bytes.count <= storage.count - used else { return nil }
            let place = UnsafeMutableRawBufferPointer(rebasing: storage[used..<used + bytes.count])
            place.copyMemory(from: UnsafeRawBufferPointer(bytes))
            used += bytes.count
            return UnsafeRawBufferPointer(place)
        }
    }
}
