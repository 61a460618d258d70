import Glibc

/// What the file system says about a device node, so that "access denied" can name the owner, the group and the remedy.
public struct NodeAccess: Sendable, Hashable {
    public var node: String
    /// Permission bits, for example 0o660.
    public var mode: UInt16
    /// Owner and group by name, or as a number when they have none.
    public var owner: String
    public var group: String
    /// With the effective user and group of this process.
    public var isReadable: Bool
    public var isWritable: Bool

    public init(node: String, mode: UInt16, owner: String, group: String, isReadable: Bool, isWritable: Bool) {
        self.node = node
        self.mode = mode
        self.owner = owner
        self.group = group
        self.isReadable = isReadable
        self.isWritable = isWritable
    }

    /// Looks at a node; nil when it does not exist (or its directory may not be searched).
    public static func of(_ node: String) -> NodeAccess? {
        var status = stat()
        guard stat(node, &status) == 0 else { return nil }
        return NodeAccess(
            node: node, mode: UInt16(status.st_mode & 0o7777), owner: userName(status.st_uid),
            group: groupName(status.st_gid), isReadable: faccessat(AT_FDCWD, node, R_OK, AT_EACCESS) == 0,
            isWritable: faccessat(AT_FDCWD, node, W_OK, AT_EACCESS) == 0)
    }

    private static func userName(_ id: uid_t) -> String {
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        var buffer = [CChar](repeating: 0, count: 16_384)
        guard getpwuid_r(id, &entry, &buffer, buffer.count, &found) == 0, let name = found?.pointee.pw_name else {
            return String(id)
        }
        return String(cString: name)
    }

    private static func groupName(_ id: gid_t) -> String {
        var entry = Glibc.group()
        var found: UnsafeMutablePointer<Glibc.group>?
        var buffer = [CChar](repeating: 0, count: 65_536)
        guard getgrgid_r(id, &entry, &buffer, buffer.count, &found) == 0, let name = found?.pointee.gr_name else {
            return String(id)
        }
        return String(cString: name)
    }
}
