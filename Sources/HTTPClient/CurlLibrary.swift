import CCurl
import Glibc

/// libcurl, loaded at the first request. It brings nearly thirty libraries along, which a command that asks no server
/// does not need.
final class CurlLibrary: Sendable {
    /// The name of its binary interface since 2006; Debian's package libcurl4 has it.
    static let fileName = "libcurl.so.4"

    /// For the rest of the process, loaded and made ready once.
    static let shared: Result<CurlLibrary, HTTPError> = {
        do throws(HTTPError) {
            let library = try CurlLibrary(fileName)
            guard readerkit_curl_global_init(library.functions) == CURLE_OK else {
                throw HTTPError(.libraryMissing, "it cannot be made ready")
            }
            return .success(library)
        } catch {
            return .failure(error)
        }
    }()

    /// Safe: filled before anybody else has it and never changed; never freed, since libcurl stays loaded.
    nonisolated(unsafe) let functions: UnsafePointer<readerkit_curl>

    /// Throws `libraryMissing`.
    init(_ fileName: String) throws(HTTPError) {
        guard let library = dlopen(fileName, RTLD_NOW | RTLD_LOCAL) else {
            throw HTTPError(.libraryMissing, dlerror().map { String(cString: $0) } ?? fileName)
        }
        let table = UnsafeMutablePointer<readerkit_curl>.allocate(capacity: 1)
        table.initialize(to: readerkit_curl())
        if let missing = readerkit_curl_find(table, library) {
            table.deallocate()
            throw HTTPError(.libraryMissing, "\(fileName) has no \(String(cString: missing))")
        }
        functions = UnsafePointer(table)
    }
}
