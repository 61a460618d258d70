/// TLS on the side that connects. Trust comes from the given file alone: the system's certificates are not looked at.
public struct TLSClientSettings: Hashable, Sendable {
    /// A PEM file with the certificate authorities, or the one certificate, that the host's must lead to.
    public let authorityFile: String
    /// The name (or numeric address) that the host's certificate must be for; nil: that of the endpoint.
    public let serverName: String?

    public init(authorityFile: String, serverName: String? = nil) {
        self.authorityFile = authorityFile
        self.serverName = serverName
    }

    /// Reads the file as a connection would.
    ///
    /// - Throws: `setting` when it cannot be used.
    public func check() throws(NetworkError) {
        _ = try TLSContext(self, connectingTo: "localhost")
    }
}

/// TLS on the side that listens.
public struct TLSServerSettings: Hashable, Sendable {
    /// A PEM file with the certificate, and the chain after it.
    public let certificateFile: String
    /// A PEM file with its private key, without a pass phrase.
    public let keyFile: String

    public init(certificateFile: String, keyFile: String) {
        self.certificateFile = certificateFile
        self.keyFile = keyFile
    }
}
