import Glibc

/// The replies that have not reached their app yet, one file each in a directory of the owner's. A reply is written here
/// before it is sent, so that neither a crash nor a dead line loses it.
public struct UndeliveredReplies: Sendable {
    private let directory: PrivateDirectory

    /// - Parameter directory: made (0700) when the first reply is kept.
    public init(directory: String) {
        self.directory = PrivateDirectory(directory)
    }

    /// Writes a reply down, durably, and holds it for this process. A reply of the same payment takes its place: an
    /// outcome has one reply.
    ///
    /// - Parameter name: 1 to 64 of `0-9 A-Z a-z`: the payment's id.
    public func keep(_ reply: KeptReply, named name: String) throws(StorageFailure) -> HeldReply {
        try directory.make()
        let descriptor = try directory.write(Array(reply.fileText.utf8), as: name + ".reply", locked: true)
        return HeldReply(reply, name: name, in: directory, descriptor: descriptor)
    }

    /// The names of all kept replies, the oldest payment first: ids sort by time.
    public func names() throws(StorageFailure) -> [String] {
        try directory.names().filter { $0.hasSuffix(".reply") }.map { String($0.dropLast(6)) }.sorted()
    }

    /// Nil when it is gone, or no file of ours.
    public func reply(named name: String) -> KeptReply? {
        guard let bytes = directory.read(name + ".reply", atMost: 4 * URLParameters.largestText) else { return nil }
        return String(validating: bytes, as: UTF8.self).flatMap { KeptReply(fileText: $0) }
    }

    /// Takes a reply for another attempt; nil when it is gone, or another process is sending it just now.
    public func take(_ name: String) -> HeldReply? {
        guard let descriptor = directory.lock(name + ".reply") else { return nil }
        guard let reply = reply(named: name) else {
            close(descriptor)
            return nil
        }
        return HeldReply(reply, name: name, in: directory, descriptor: descriptor)
    }
}

/// A kept reply that only this process may send, until it lets go of it.
public final class HeldReply: Sendable {
    public let reply: KeptReply
    /// The payment's id.
    public let name: String
    private let directory: PrivateDirectory
    private let descriptor: Int32

    init(_ reply: KeptReply, name: String, in directory: PrivateDirectory, descriptor: Int32) {
        self.reply = reply
        self.name = name
        self.directory = directory
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// It has arrived.
    public func delivered() throws(StorageFailure) {
        try directory.remove(name + ".reply")
    }

    /// It stays, with the reason.
    public func failed(_ failure: DeliveryFailure) throws(StorageFailure) {
        var reply = reply
        reply.attempts += 1
        reply.problem = "\(failure)"
        try directory.write(Array(reply.fileText.utf8), as: name + ".reply")
    }
}
