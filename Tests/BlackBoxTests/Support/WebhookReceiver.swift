import Foundation
import Testing

/// A merchant's server, in Python: it recomputes the signatures over the raw bytes as they came, and tells of each
/// request. How it answers is in the path: `/ok`, `/status/503`, `/redirect`, `/hold` (after a long while), `/loris` (a
/// byte now and then, for ever), `/huge` (a success that does not end).
struct WebhookReceiver {
    static let secret = "wh-secret-7d20c1-of-the-tests"

    let port: String
    private let program: RunningProgram
    private let scheme: String

    struct Silent: Error {}

    /// One request, as Python saw it.
    struct Heard: Decodable {
        let path: String
        /// Both signatures are Python's own, over the raw bytes, with the secret, and so is the key id.
        let isSigned: Bool
        /// Its time is at most 300 s from now.
        let isFresh: Bool
        let body: String
        /// The `transactionid` of the body; empty when there is none.
        let transactionID: String

        /// What a receiver must find before it books.
        var isGenuine: Bool { isSigned && isFresh }
    }

    /// - Parameters:
    ///   - port: 0 for any.
    ///   - certificate: PEM files of certificate and key, for https.
    static func start(port: String = "0", certificate: (String, String)? = nil) async throws -> WebhookReceiver {
        var program = Program(
            "python3", ["-c", code, port] + (certificate.map { [$0.0, $0.1] } ?? []))
        program.environment["RECEIVER_SECRET"] = secret
        program.limit = 240
        let running = try Workbench.mine().start(program)
        guard let port = await running.line() else { throw Silent() }
        return WebhookReceiver(port: port, program: running, scheme: certificate == nil ? "http" : "https")
    }

    func url(_ path: String) -> String { "\(scheme)://127.0.0.1:\(port)\(path)" }

    /// The next request.
    func heard() async throws -> Heard {
        guard let line = await program.line() else { throw Silent() }
        return try JSONDecoder().decode(Heard.self, from: Data(line.utf8))
    }

    /// Ends it, and answers everything that it has heard since.
    func close() async throws -> [Heard] {
        program.send(SIGTERM)
        _ = await program.end()
        var rest: [Heard] = []
        while let line = await program.line() {
            rest.append(try JSONDecoder().decode(Heard.self, from: Data(line.utf8)))
        }
        return rest
    }

    private static let code = """
        import hashlib, hmac, http.server, json, os, ssl, sys, threading, time
        secret = os.environ["RECEIVER_SECRET"].encode()
        lock = threading.Lock()
        def sign(data): return hmac.new(secret, data, hashlib.sha256).hexdigest()
        class Receiver(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            def do_GET(self): self.do_POST()
            def do_POST(self):
                raw = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                ours = self.headers.get("ReaderKit-Signature")
                if ours:
                    parts = dict(p.split("=", 1) for p in ours.split(","))
                    stamp = parts["t"]
                    signed = parts["v1"] == sign(stamp.encode() + b"." + raw)
                    signed = signed and self.headers["ReaderKit-Key"] == "merchant-1"
                else:
                    stamp = self.headers.get("X-Kushki-Id", "0")
                    signed = (self.headers.get("X-Kushki-Signature") == sign(raw + b"." + stamp.encode())
                        and self.headers.get("X-Kushki-SimpleSignature") == sign(stamp.encode())
                        and self.headers.get("X-Kushki-Key") == "merchant-1")
                signed = signed and self.headers["Content-Type"] == "application/json"
                fresh = abs(int(stamp) - time.time()) <= 300
                notice = json.loads(raw) if raw else {}
                with lock:
                    print(json.dumps({"path": self.path, "isSigned": bool(signed), "isFresh": fresh,
                        "body": raw.decode(), "transactionID": notice.get("transactionid", "")}), flush=True)
                self.answer(raw == b"{}" or (signed and fresh))
            def answer(self, good):
                if self.path == "/hold": time.sleep(120)
                if self.path == "/loris":
                    for byte in b"HTTP/1.1 200 OK\\r\\nX: " + b"x" * 1000:
                        self.wfile.write(bytes([byte])); self.wfile.flush(); time.sleep(0.5)
                status = 200 if good else 403
                if self.path.startswith("/status/"): status = int(self.path[8:])
                if self.path == "/redirect": status = 307
                self.send_response(status)
                if self.path == "/redirect": self.send_header("Location", "/stolen")
                self.send_header("Content-Length", str(1 << 40) if self.path == "/huge" else "0")
                self.end_headers()
                while self.path == "/huge": self.wfile.write(b"x" * 65536)
            def log_message(self, *ignored): pass
        class Server(http.server.ThreadingHTTPServer):
            daemon_threads = True
            def handle_error(self, *ignored): pass
        server = Server(("127.0.0.1", int(sys.argv[1])), Receiver)
        if len(sys.argv) > 2:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(sys.argv[2], sys.argv[3])
            server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
        print(server.server_address[1], flush=True)
        server.serve_forever()
        """
}

/// A kiosk that tells a server of its sales.
struct WebhookKiosk {
    let workbench: Workbench
    let configuration: String

    /// - Parameters:
    ///   - secret: what it signs with.
    ///   - more: further members of `webhook`, as JSON text.
    init(_ url: String, secret: String = WebhookReceiver.secret, more: String = "") throws {
        workbench = try Workbench.mine()
        let number = UInt32.random(in: 0 ... .max)
        let file = workbench.path("webhook-secret-\(number)")
        _ = FileManager.default.createFile(
            atPath: file, contents: Data((secret + "\n").utf8), attributes: [.posixPermissions: 0o600])
        configuration = workbench.path("kiosk-\(number).json")
        let json =
            #"{"webhook":{"url":"\#(url)","keyId":"merchant-1","secretFile":"\#(file)","#
            + #""since":"2020-01-01T00:00:00Z"\#(more.isEmpty ? "" : "," + more)}}"#
        try Data(json.utf8).write(to: URL(fileURLWithPath: configuration))
    }

    func sale(_ amount: String = "100.00") -> Program {
        simulatedSale(amount, "--config", configuration)
    }

    func webhooks(_ arguments: String...) -> Program {
        readerctl(["webhooks", "--json", "--config", configuration] + arguments)
    }

    /// Everything that was stored and holds the secret, except its own file.
    func filesHoldingSecret() -> [String] {
        let files = FileManager.default.enumerator(atPath: workbench.directory)
        var found: [String] = []
        while let name = files?.nextObject() as? String {
            guard !name.hasPrefix("webhook-secret"),
                let content = FileManager.default.contents(atPath: workbench.path(name))
            else { continue }
            if content.range(of: Data(WebhookReceiver.secret.utf8)) != nil { found.append(name) }
        }
        return found
    }
}
