internal import COpenSSLTLS

/// One SSL_CTX: TLS 1.2 or newer, freed exactly once.
// Sendable although it holds a pointer: the context is set up in `init`, before anyone else can see it, and only read
// afterwards; libssl counts its references under a lock of its own.
final class TLSContext: @unchecked Sendable {
    let pointer: OpaquePointer
    let isServer: Bool
    /// Who the other side must be; nil on the listening side.
    let peerName: String?

    /// Throws `setting` when the file of authorities cannot be used.
    init(_ settings: TLSClientSettings, connectingTo host: String) throws(NetworkError) {
        pointer = try Self.make(TLS_client_method())
        isServer = false
        peerName = settings.serverName ?? host
        // Whatever throws from here on, `deinit` frees the context.
        ERR_clear_error()
        guard SSL_CTX_load_verify_file(pointer, settings.authorityFile) == 1 else {
            throw NetworkError(.setting, "the file of certificate authorities cannot be used")
        }
        SSL_CTX_set_verify(pointer, SSL_VERIFY_PEER, nil)
        // What is in the file is trusted as it stands, also a certificate that is not its own issuer.
        X509_VERIFY_PARAM_set_flags(SSL_CTX_get0_param(pointer), UInt(X509_V_FLAG_PARTIAL_CHAIN))
    }

    /// Throws `setting` when certificate or key cannot be used, or do not belong together.
    init(_ settings: TLSServerSettings) throws(NetworkError) {
        pointer = try Self.make(TLS_server_method())
        isServer = true
        peerName = nil
        ERR_clear_error()
        guard SSL_CTX_use_certificate_chain_file(pointer, settings.certificateFile) == 1 else {
            throw NetworkError(.setting, "the TLS certificate cannot be used")
        }
        guard SSL_CTX_use_PrivateKey_file(pointer, settings.keyFile, SSL_FILETYPE_PEM) == 1,
            SSL_CTX_check_private_key(pointer) == 1
        else {
            throw NetworkError(.setting, "the TLS key cannot be used, or is not the certificate's")
        }
    }

    deinit {
        SSL_CTX_free(pointer)
    }

    private static func make(_ method: OpaquePointer?) throws(NetworkError) -> OpaquePointer {
        guard let pointer = SSL_CTX_new(method) else { throw NetworkError(.failed, "libssl has no context") }
        guard SSL_CTX_ctrl(pointer, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(TLS1_2_VERSION), nil) == 1 else {
            SSL_CTX_free(pointer)
            throw NetworkError(.failed, "libssl does not know TLS 1.2")
        }
        return pointer
    }
}
