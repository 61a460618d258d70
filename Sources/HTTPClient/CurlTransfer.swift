import CCurl
import Synchronization
import Transport

/// One exchange of one libcurl handle, used by one thread.
final class CurlTransfer: Sendable {
    private let client: HTTPClient
    private let request: HTTPRequest
    private let isCancelled = Atomic(false)
    private let body = Mutex<(bytes: [UInt8], isTooLarge: Bool)>(([], false))

    init(_ client: HTTPClient, _ request: HTTPRequest) {
        self.client = client
        self.request = request
    }

    func cancel() { isCancelled.store(true, ordering: .releasing) }

    func run() -> Result<HTTPResponse, HTTPError> {
        guard ["http://", "https://"].contains(where: request.url.lowercased().hasPrefix) else {
            return .failure(HTTPError(.badAddress, "not http"))
        }
        switch CurlLibrary.shared {
        case .success(let library): return run(library.functions)
        case .failure(let error): return .failure(error)
        }
    }

    private func run(_ curl: Functions) -> Result<HTTPResponse, HTTPError> {
        guard let handle = readerkit_curl_init(curl) else { return .failure(HTTPError(.failed, "libcurl")) }
        defer { readerkit_curl_cleanup(curl, handle) }
        var headers: UnsafeMutablePointer<curl_slist>?
        defer { readerkit_curl_free(curl, headers) }
        for line in headerLines {
            guard let longer = readerkit_curl_append(curl, headers, line) else {
                return .failure(HTTPError(.failed, "memory"))
            }
            headers = longer
        }
        let settings = configure(curl, handle, headers)
        guard settings.allSatisfy({ $0 == CURLE_OK }) else {
            return .failure(HTTPError(.badAddress, "an option was refused"))
        }
        // The handle's pointers to `self` and to the body are used during this call only.
        let code = withExtendedLifetime(self) { perform(curl, handle) }
        return outcome(code, curl, handle)
    }

    private var headerLines: [String] {
        // No `Expect: 100-continue`: small servers do not answer it, and the wait for it is for nothing.
        var lines = request.headers + ["Expect:"]
        if case .post(_, let contentType) = request.method { lines.append("Content-Type: \(contentType)") }
        return lines
    }

    private func configure(
        _ curl: Functions, _ handle: OpaqueHandle, _ headers: UnsafeMutablePointer<curl_slist>?
    ) -> [CURLcode] {
        let milliseconds = Int(clamping: client.timeLimit.wholeNanoseconds / 1_000_000)
        var codes = [
            readerkit_curl_set_text(curl, handle, CURLOPT_PROTOCOLS_STR, "http,https"),
            readerkit_curl_set_text(curl, handle, CURLOPT_URL, request.url),
            readerkit_curl_set_long(curl, handle, CURLOPT_FOLLOWLOCATION, 0),
            readerkit_curl_set_long(curl, handle, CURLOPT_SSL_VERIFYPEER, 1),
            readerkit_curl_set_long(curl, handle, CURLOPT_SSL_VERIFYHOST, 2),
            readerkit_curl_set_long(curl, handle, CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2)),
            readerkit_curl_set_long(curl, handle, CURLOPT_TIMEOUT_MS, max(1, milliseconds)),
            readerkit_curl_set_long(curl, handle, CURLOPT_CONNECTTIMEOUT_MS, max(1, milliseconds)),
            // Signals are the program's own; a thread must not touch them.
            readerkit_curl_set_long(curl, handle, CURLOPT_NOSIGNAL, 1),
            readerkit_curl_set_long(curl, handle, CURLOPT_NETRC, Int(CURL_NETRC_IGNORED.rawValue)),
            readerkit_curl_set_text(curl, handle, CURLOPT_USERAGENT, "ReaderKit"),
            readerkit_curl_set_list(curl, handle, CURLOPT_HTTPHEADER, headers),
            readerkit_curl_set_writer(curl, handle, CurlTransfer.take, Unmanaged.passUnretained(self).toOpaque()),
            readerkit_curl_set_observer(curl, handle, CurlTransfer.observe, Unmanaged.passUnretained(self).toOpaque()),
        ]
        if !client.usesProxies { codes.append(readerkit_curl_set_text(curl, handle, CURLOPT_PROXY, "")) }
        if let file = client.authoritiesFile {
            codes.append(readerkit_curl_set_text(curl, handle, CURLOPT_CAINFO, file))
            codes.append(readerkit_curl_set_text(curl, handle, CURLOPT_CAPATH, nil))
        }
        return codes
    }

    private func perform(_ curl: Functions, _ handle: OpaqueHandle) -> CURLcode {
        guard case .post(let bytes, _) = request.method else { return readerkit_curl_perform(curl, handle) }
        return bytes.withUnsafeBytes { buffer in
            let settings = [
                readerkit_curl_set_long(curl, handle, CURLOPT_POST, 1),
                readerkit_curl_set_long(curl, handle, CURLOPT_POSTFIELDSIZE, buffer.count),
                // An empty body must not make libcurl read standard input.
                buffer.isEmpty
                    ? readerkit_curl_set_text(curl, handle, CURLOPT_COPYPOSTFIELDS, "")
                    : readerkit_curl_set_pointer(curl, handle, CURLOPT_POSTFIELDS, buffer.baseAddress),
            ]
            return settings.first { $0 != CURLE_OK } ?? readerkit_curl_perform(curl, handle)
        }
    }

    private func outcome(
        _ code: CURLcode, _ curl: Functions, _ handle: OpaqueHandle
    ) -> Result<HTTPResponse, HTTPError> {
        let (bytes, isTooLarge) = body.withLock { $0 }
        if isTooLarge { return .failure(HTTPError(.tooLarge, "")) }
        if isCancelled.load(ordering: .acquiring) { return .failure(HTTPError(.cancelled, "")) }
        guard code == CURLE_OK else { return .failure(HTTPError(code, curl)) }
        var status = 0
        guard readerkit_curl_response_code(curl, handle, &status) == CURLE_OK, (100...599).contains(status) else {
            return .failure(HTTPError(.failed, "no HTTP status"))
        }
        return .success(HTTPResponse(status: status, body: bytes))
    }

    // MARK: Called by libcurl, on the thread of the exchange

    private typealias OpaqueHandle = UnsafeMutableRawPointer
    private typealias Functions = UnsafePointer<readerkit_curl>

    private static let take: readerkit_curl_writer = { data, size, count, context in
        guard let data, let context else { return 0 }
        let (length, overflow) = size.multipliedReportingOverflow(by: count)
        guard !overflow else { return 0 }
        let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
        let piece = UnsafeRawBufferPointer(start: data, count: length)
        return transfer.append(piece) ? length : 0
    }

    private func append(_ piece: UnsafeRawBufferPointer) -> Bool {
        // The callback runs while `perform` does, so the pointer outlives the lock.
        let bytes = Array(piece)
        let limit = client.largestBody
        return body.withLock { body in
            guard bytes.count <= limit - body.bytes.count else {
                body.isTooLarge = true
                return false
            }
            body.bytes += bytes
            return true
        }
    }

    private static let observe: readerkit_curl_observer = { context, _, _, _, _ in
        guard let context else { return 0 }
        let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
        return transfer.isCancelled.load(ordering: .acquiring) ? 1 : 0
    }
}

extension HTTPError {
    init(_ code: CURLcode, _ curl: UnsafePointer<readerkit_curl>) {
        let words = readerkit_curl_words(curl, code).map { String(cString: $0) } ?? "libcurl \(code.rawValue)"
        let kind: Code =
            switch code {
            case CURLE_URL_MALFORMAT: .badAddress
            case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_CONNECT: .unreachable
            case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CACERT_BADFILE,
                CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS:
                .untrusted
            case CURLE_OPERATION_TIMEDOUT: .timedOut
            default: .failed
            }
        self.init(kind, words)
    }
}
