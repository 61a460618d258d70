import Glibc

/// Which trace numbers may be given out without waiting for the disk: a thousand at a time, on disk before the first of
/// them is used. A power cut can take lines of the trace file, but not this; after a boot, numbers go on behind it.
struct TraceReservation: Equatable {
    /// How many numbers one flush is for.
    static let size = 1_000

    /// Of the kernel that runs: what one boot has written, its page cache still has.
    let boot: String
    /// Numbers after this one…
    let from: Int
    /// …up to this one.
    let until: Int

    init(boot: String, after number: Int) {
        self.boot = boot
        from = number
        until = (number + Self.size - 1) % 999_999 + 1
    }

    /// Whether the number after `number` is reserved.
    func allowsNext(after number: Int) -> Bool {
        Self.distance(from, number) < Self.size
    }

    private static func distance(_ from: Int, _ to: Int) -> Int {
        (to - from + 999_999) % 999_999
    }

    /// Nil when the file has none.
    init?(from descriptor: Int32) {
        var bytes = [UInt8](repeating: 0, count: 80)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        guard count > 0 else { return nil }
        let fields = String(decoding: bytes.prefix(count), as: UTF8.self).split(separator: " ").map(String.init)
        guard fields.count >= 2, let number = Int(fields[1]), (0...999_999).contains(number) else { return nil }
        self.init(boot: fields[0], after: number)
    }

    /// Whether it is on disk now.
    func write(to descriptor: Int32) -> Bool {
        let number = TraceRecord.padded(from, 6)
        let bytes = Array("\(boot) \(number) \n".utf8)
        return pwrite(descriptor, bytes, bytes.count, 0) == bytes.count && fdatasync(descriptor) == 0
    }

    /// The identity of this boot; nil when the kernel does not tell.
    static func presentBoot() -> String? {
        let descriptor = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 36)
        guard read(descriptor, &bytes, bytes.count) == bytes.count else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }
}
