import Glibc
public import Transport

/// A stable name for a pseudo terminal, whose own name is another at each start: a symbolic link.
public struct TerminalLink: Sendable, Hashable {
    public let path: String
    public let node: String

    /// Puts the link there. What is at `path` already is replaced, in one step, only when it is such a link of this
    /// user's: a symbolic link to something in /dev/pts, left by an earlier run. Everything else stays as it is.
    ///
    /// - Parameter node: "/dev/pts/3", for example `PseudoTerminal.node`.
    /// - Throws: `.busy` when something else is at `path`; `.denied`, `.failed` when the link cannot be made.
    public init(at path: String, to node: String) throws(TransportError) {
        self.path = path
        self.node = node
        if symlink(node, path) == 0 { return }
        guard errno == EEXIST else { throw Self.failure(.last) }
        guard let target = NodeName.linkTarget(path), target.hasPrefix("/dev/pts/"), Self.isOwn(path) else {
            throw TransportError(
                .busy, during: "link a terminal",
                underlying: "\(path) is there already and is no link to a pseudo terminal of this user: choose another "
                    + "path, or remove it")
        }
        guard target != node else { return }
        let fresh = "\(path).\(getpid()).new"
        guard symlink(node, fresh) == 0 else { throw Self.failure(.last) }
        guard rename(fresh, path) == 0 else {
            let error = SystemError.last
            unlink(fresh)
            throw Self.failure(error)
        }
    }

    /// Takes the link away, unless it leads elsewhere by now.
    public func remove() {
        if NodeName.linkTarget(path) == node { unlink(path) }
    }

    private static func failure(_ error: SystemError) -> TransportError {
        let code: TransportError.Code = error.code == .denied ? .denied : .failed
        return TransportError(code, during: "link a terminal", underlying: error.name)
    }

    private static func isOwn(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_uid == geteuid()
    }
}
