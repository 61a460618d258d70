internal import COpenSSLTLS

/// The TLS of one connection, between bytes in and bytes out: it touches no socket. Used on the loop's thread only.
final class TLSSession {
    private let session: OpaquePointer
    private let incoming: OpaquePointer
    private let outgoing: OpaquePointer
    /// Keeps the context alive as long as the session.
    private let context: TLSContext

    init(_ context: TLSContext) throws(NetworkError) {
        guard let session = SSL_new(context.pointer) else { throw NetworkError(.failed, "libssl has no session") }
        guard let incoming = BIO_new(BIO_s_mem()) else {
            SSL_free(session)
            throw NetworkError(.failed, "libssl has no memory")
        }
        guard let outgoing = BIO_new(BIO_s_mem()) else {
            BIO_free(incoming)
            SSL_free(session)
            throw NetworkError(.failed, "libssl has no memory")
        }
        self.session = session
        self.incoming = incoming
        self.outgoing = outgoing
        self.context = context
        // An empty buffer means "wait", not "end".
        BIO_ctrl(incoming, BIO_C_SET_BUF_MEM_EOF_RETURN, -1, nil)
        SSL_set_bio(session, incoming, outgoing)
        if context.isServer {
            SSL_set_accept_state(session)
        } else {
            SSL_set_connect_state(session)
            try expectPeer(context.peerName ?? "")
        }
    }

    deinit {
        // Frees both buffers as well.
        SSL_free(session)
    }

    private func expectPeer(_ name: String) throws(NetworkError) {
        if X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(session), name) == 1 { return }
        let named = name.withCString { name in
            SSL_ctrl(
                session, SSL_CTRL_SET_TLSEXT_HOSTNAME, Int(TLSEXT_NAMETYPE_host_name),
                UnsafeMutableRawPointer(mutating: name))
        }
        guard named == 1, SSL_set1_host(session, name) == 1 else {
            throw NetworkError(.setting, "the name of the TLS host cannot be used")
        }
    }

    /// Takes bytes of the wire.
    func feed(_ bytes: ArraySlice<UInt8>) throws(NetworkError) {
        guard !bytes.isEmpty else { return }
        let written = bytes.withUnsafeBytes { BIO_write(incoming, $0.baseAddress, Int32($0.count)) }
        guard Int(written) == bytes.count else { throw NetworkError(.failed, "libssl has no memory") }
    }

    /// What must go on the wire now.
    func takeOutgoing() -> [UInt8] {
        let waiting = BIO_ctrl_pending(outgoing)
        guard waiting > 0 else { return [] }
        var bytes = [UInt8](repeating: 0, count: waiting)
        let count = BIO_read(outgoing, &bytes, Int32(clamping: waiting))
        return Array(bytes.prefix(max(0, Int(count))))
    }

    /// Goes on with the handshake. True when it is done. Throws `untrusted`.
    func handshake() throws(NetworkError) -> Bool {
        ERR_clear_error()
        let result = SSL_do_handshake(session)
        if result == 1 { return true }
        switch SSL_get_error(session, result) {
        case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: return false
        default: throw NetworkError(.untrusted, refusal())
        }
    }

    /// Plain bytes that are complete, and why there are no more; nil: there may be. What was right before a damaged record is
    /// among the bytes.
    func read() -> (bytes: [UInt8], ending: NetworkError?) {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16_384)
        while true {
            ERR_clear_error()
            let count = SSL_read(session, &chunk, Int32(chunk.count))
            if count > 0 {
                bytes += chunk[..<Int(count)]
                continue
            }
            switch SSL_get_error(session, count) {
            case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: return (bytes, nil)
            case SSL_ERROR_ZERO_RETURN:
                return (bytes, NetworkError(.closed, "the other side has closed the connection"))
            default: return (bytes, NetworkError(.closed, "the TLS stream is damaged"))
            }
        }
    }

    /// Encrypts bytes; they are then in `takeOutgoing()`.
    func write(_ bytes: [UInt8]) throws(NetworkError) {
        guard !bytes.isEmpty else { return }
        ERR_clear_error()
        guard SSL_write(session, bytes, Int32(clamping: bytes.count)) == Int32(clamping: bytes.count) else {
            throw NetworkError(.closed, "the TLS stream cannot be written")
        }
    }

    /// Says goodbye; the words are then in `takeOutgoing()`.
    func end() {
        ERR_clear_error()
        SSL_shutdown(session)
    }

    private func refusal() -> String {
        let result = SSL_get_verify_result(session)
        if !context.isServer, result != X509_V_OK, let text = X509_verify_cert_error_string(result) {
            return "the host's certificate is refused: " + String(cString: text)
        }
        return "TLS cannot be agreed on"
    }
}
