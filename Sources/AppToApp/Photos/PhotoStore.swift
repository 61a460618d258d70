import Glibc

/// The photos that operators attach to sales, one file each, under the id of the sale.
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
        let name = ".received-\(getpid())-\(UInt32.random(in: 0 ... .max))"
        do throws(StorageFailure) {
            try directory.make()
            try directory.write(bytes, as: name)
        } catch {
            throw .notStored(error)
        }
        return ReceivedPhoto(directory: directory, name: name)
    }
}

/// A photo in the store that belongs to no sale yet.
public struct ReceivedPhoto: Sendable {
    let directory: PrivateDirectory
    let name: String

    /// - Parameter id: of the sale.
    public func attach(to id: String) throws(StorageFailure) {
        guard (1...64).contains(id.utf8.count),
            id.utf8.allSatisfy({ ASCII.isLetter($0) || ASCII.isDigit($0) })
        else { throw StorageFailure("'\(id)' is not the id of a sale") }
        try directory.rename(name, to: id)
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
