internal import COpenSSL

/// The algorithms that a payment uses again and again, fetched from libcrypto once. `EVP_sha256()` and its like are names
/// only, which libcrypto looks up anew at each use (crypto(7), "Implicit fetching"). Nil where its policy forbids one.
enum FetchedAlgorithm {
    // Not checked, but safe: each is set once, by whoever needs it first, and never freed; libcrypto only reads a fetched
    // algorithm, counts its references atomically, and lets every thread use it.
    nonisolated(unsafe) static let sha1 = EVP_MD_fetch(nil, "SHA1", nil)
    nonisolated(unsafe) static let sha256 = EVP_MD_fetch(nil, "SHA256", nil)

    nonisolated(unsafe) static let tripleDES = EVP_CIPHER_fetch(nil, "DES-EDE-ECB", nil)
}
