internal import COpenSSL

/// Bytes that are wiped when the last reference goes, and that cannot print themselves: PANs, track data, keys.
/// The copies that `withBytes` hands out are the caller's to keep short-lived.
// Sendable although it holds a pointer: the memory is written once in `init`, before anyone else can see it, only read
// afterwards, and cleared in `deinit`, when nobody else can.
public final class SecretBytes: @unchecked Sendable {
    private let storage: UnsafeMutableRawBufferPointer

    public init(_ bytes: some Collection<UInt8>) {
        storage = .allocate(byteCount: bytes.count, alignment: 1)
        let storage = storage
        // At once where they lie side by side: `copyBytes` takes a collection that it does not know byte by byte.
        let copied: Void? = bytes.withContiguousStorageIfAvailable {
            storage.copyMemory(from: UnsafeRawBufferPointer($0))
        }
        if copied == nil { storage.copyBytes(from: bytes) }
    }

    deinit {
        OPENSSL_cleanse(storage.baseAddress, storage.count)
        storage.deallocate()
    }

    public var count: Int { storage.count }

    /// Lends the bytes for the time of the call.
    public func withBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeRawBufferPointer(storage))
    }
}

extension SecretBytes: Equatable {
    public static func == (left: SecretBytes, right: SecretBytes) -> Bool {
        left.count == right.count && CRYPTO_memcmp(left.storage.baseAddress, right.storage.baseAddress, left.count) == 0
    }
}

extension SecretBytes: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "(\(count) secret bytes)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Overwrites an array that held a secret before letting it go.
public func wipe(_ bytes: inout [UInt8]) {
    bytes.withUnsafeMutableBytes { OPENSSL_cleanse($0.baseAddress, $0.count) }
    bytes.removeAll()
}
