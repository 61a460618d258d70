import Crypto
import Glibc

/// The photos, or the signatures, that operators attach to sales, one image each, under the id of the sale.
public struct PhotoStore: Sendable {
    private let directory: PrivateDirectory

    /// - Parameter directory: made (0700) with the first photo.
    public init(directory: String) {
        self.directory = PrivateDirectory(directory)
    }

    /// Copies a photo into the store before its sale begins, so that an approval cannot miss it.
    ///
    /// - Throws: when it is no JPEG or PNG of at most 10 MiB, or cannot be stored.
    public func receive(fileAt path: String) throws(PhotoProblem) -> ReceivedPhoto {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .unreadable(String(cString: strerror(errno))) }
        defer { close(descriptor) }
        guard let bytes = FileContent.read(descriptor, atMost: PhotoFormat.largestFile) else { throw .notAPhoto }
        guard PhotoFormat(of: bytes) != nil else { throw .notAPhoto }
        let digest: String
        do throws(CryptoError) {
            digest = try Self.digest(bytes)
        } catch {
            throw .notStored(StorageFailure("its digest cannot be made: \(error)"))
        }
        let name = ".received-\(getpid())-\(UInt32.random(in: 0 ... .max))"
        do throws(StorageFailure) {
            try directory.make()
            try directory.write(bytes, as: name)
        } catch {
            throw .notStored(error)
        }
        return ReceivedPhoto(directory: directory, name: name, digest: digest)
    }

    /// SHA-256 of the image of this sale, in lower-case hexadecimal; nil when it has none.
    ///
    /// - Throws: `notStored` when it is there and cannot be read.
    public func digest(of id: String) throws(PhotoProblem) -> String? {
        guard ReceivedPhoto.isID(id) else { return nil }
        let descriptor = open(directory.path + "/" + id, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw .notStored(StorageFailure("What is stored already cannot be read", errno))
        }
        defer { close(descriptor) }
        guard let bytes = FileContent.read(descriptor, atMost: PhotoFormat.largestFile),
            let digest = try? Self.digest(bytes)
        else { throw .notStored(StorageFailure("What is stored already cannot be read")) }
        return digest
    }

    private static func digest(_ bytes: [UInt8]) throws(CryptoError) -> String {
        try SHA256.hexDigest(of: bytes)
    }
}

/// A photo in the store that belongs to no sale yet.
public struct ReceivedPhoto: Sendable {
    let directory: PrivateDirectory
    let name: String
    /// SHA-256 of the file, in lower-case hexadecimal.
    public let digest: String

    /// - Parameter id: of the sale.
    public func attach(to id: String) throws(StorageFailure) {
        guard Self.isID(id) else { throw StorageFailure("'\(id)' is not the id of a sale") }
        try directory.rename(name, to: id)
    }

    static func isID(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count) && text.utf8.allSatisfy { ASCII.isLetter($0) || ASCII.isDigit($0) }
    }

    /// The sale did not come about.
    public func discard() throws(StorageFailure) {
        try directory.remove(name)
    }
}

/// Why a file is not taken as a photo.
public enum PhotoProblem: Error, Sendable, Hashable {
    case unreadable(String)
    /// Neither JPEG nor PNG, whatever its name says, or more than 10 MiB.
    case notAPhoto
    case notStored(StorageFailure)
}

extension PhotoProblem: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unreadable(let reason): "The photo cannot be read (\(reason))."
        case .notAPhoto: "The file is not a photo: give a JPEG or PNG of at most 10 MiB."
        case .notStored(let failure): "The photo cannot be stored: \(failure)."
        }
    }
}
