import Crypto
import EMV
import Glibc

/// The file of the key for receipts: one line, 64 hex digits, a space, and when it was made in unix milliseconds. It lies
/// in the data directory, for its owner only (0600), apart from the ledger.
public struct ReceiptKeyFile: Sendable {
    public let path: String

    /// - Parameter dataDirectory: where the ledger is.
    public init(dataDirectory: String) {
        path = dataDirectory + "/receipt.key"
    }

    /// The seal of this installation; its key is made on first use. Of several programs at the same moment one makes it.
    ///
    /// - Parameters:
    ///   - now: unix milliseconds.
    ///   - random: where a new key comes from.
    /// - Throws: `ReceiptKeyError` when there is no usable key and none can be made.
    public func open(now: Int64, random: any RandomSource) throws(ReceiptKeyError) -> ReceiptSeal {
        if let seal = try openExisting() { return seal }
        var key = random.bytes(ReceiptSeal.keyLength)
        var line = Array("\(hexText(key)) \(now)\n".utf8)
        defer {
            wipe(&key)
            wipe(&line)
        }
        try make(line)
        guard let seal = try openExisting() else { throw ReceiptKeyError(path, "it went away") }
        return seal
    }

    /// Nil when no key was ever made here.
    ///
    /// - Throws: `ReceiptKeyError`.
    public func openExisting() throws(ReceiptKeyError) -> ReceiptSeal? {
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw ReceiptKeyError(path, errno)
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw ReceiptKeyError(path, "it is not a regular file")
        }
        guard status.st_mode & 0o077 == 0 else {
            throw ReceiptKeyError(path, "other users can reach it; run: chmod 600 '\(path)'")
        }
        var bytes = [UInt8](repeating: 0, count: 128)
        defer { wipe(&bytes) }
        let count = read(descriptor, &bytes, bytes.count)
        guard count >= 0 else { throw ReceiptKeyError(path, errno) }
        guard count < bytes.count, let seal = Self.seal(bytes.prefix(count)) else {
            throw ReceiptKeyError(path, "it does not hold a key")
        }
        return seal
    }

    private static func seal(_ line: ArraySlice<UInt8>) -> ReceiptSeal? {
        let digits = 2 * ReceiptSeal.keyLength
        guard line.count > digits + 2, line.last == UInt8(ascii: "\n"), line[digits] == UInt8(ascii: " "),
            let madeAt = Int64(String(decoding: line[(digits + 1)..<(line.count - 1)], as: UTF8.self))
        else { return nil }
        var key: [UInt8] = []
        key.reserveCapacity(ReceiptSeal.keyLength)
        defer { wipe(&key) }
        for index in stride(from: 0, to: digits, by: 2) {
            guard let high = nibble(line[index]), let low = nibble(line[index + 1]) else { return nil }
            key.append(high << 4 | low)
        }
        return try? ReceiptSeal(key: SecretBytes(key), madeAt: madeAt)
    }

    private static func nibble(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    /// Whole and on disk, or not at all; whoever comes second keeps the first one's.
    private func make(_ line: [UInt8]) throws(ReceiptKeyError) {
        let temporary = path + ".new-\(getpid())-\(UInt64.random(in: 0 ... .max))"
        let descriptor = Glibc.open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw ReceiptKeyError(path, errno) }
        defer { unlink(temporary) }
        errno = 0
        let isWritten = write(descriptor, line, line.count) == line.count && fsync(descriptor) == 0
        let number = errno
        close(descriptor)
        guard isWritten else { throw ReceiptKeyError(path, number == 0 ? ENOSPC : number) }
        guard link(temporary, path) == 0 || errno == EEXIST else { throw ReceiptKeyError(path, errno) }
        synchroniseDirectory()
    }

    /// A key that a power cut takes away would make every receipt since look changed.
    private func synchroniseDirectory() {
        guard let slash = path.lastIndex(of: "/") else { return }
        let descriptor = Glibc.open(String(path[..<slash]), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}

/// There is no usable key for receipts, so no payment is taken.
public struct ReceiptKeyError: Error, Sendable, Hashable {
    /// What happened and what to do.
    public let sentence: String

    init(_ path: String, _ reason: String) {
        sentence =
            "The key for receipts '\(path)' cannot be used: \(reason). Put it back from a backup; without it earlier "
            + "receipts cannot be shown. To begin with a new key, move the file away."
    }

    init(_ path: String, _ number: Int32) {
        self.init(path, strerror(number).map { String(cString: $0) } ?? "error \(number)")
    }
}
