import Glibc

/// `running` in the data directory: a file for each program that takes payments, and one for each transaction that
/// somebody resolves, each locked by whoever made it.
struct RunningDirectory: Sendable {
    let path: String

    private static let workSuffix = ".work"

    init(dataDirectory: String) {
        path = dataDirectory + "/running"
    }

    /// - Throws: `RunningOwnerError` when there is no such directory and none can be made.
    func make() throws(RunningOwnerError) {
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw RunningOwnerError(path, errno) }
    }

    func file(of owner: String) -> String { path + "/" + Self.safe(owner) }

    /// Whether the program with this id still runs. Ids are never used again, so a program whose file is gone has ended.
    func isRunning(_ owner: String) -> Bool { LockFile.isHeld(file(of: owner)) }

    /// The right to move this transaction on; nil while somebody else has it.
    func work(on id: String) -> LockFile? {
        guard case .taken(let lock) = LockFile.take(file(of: id) + Self.workSuffix) else { return nil }
        return lock
    }

    /// Removes what ended programs have left behind.
    func sweep() {
        guard let entries = opendir(path) else { return }
        defer { closedir(entries) }
        while let entry = readdir(entries) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard !name.hasPrefix(".") else { continue }
            if case .taken(let lock) = LockFile.take(path + "/" + name) { lock.release() }
        }
    }

    /// The ids of this product are letters and digits. Whatever else a ledger holds must not leave the directory.
    private static func safe(_ name: String) -> String {
        let isPlain = name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
        guard !isPlain || name.isEmpty || name.utf8.count > 64 else { return name }
        return "x" + name.utf8.prefix(64).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
