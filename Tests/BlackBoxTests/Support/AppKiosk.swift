import Foundation

/// A kiosk that takes requests of other apps: its token, its configuration, and URLs to be sent to it.
struct AppKiosk {
    static let token = "tok-5f1c9b-of-the-tests"

    let workbench: Workbench
    let configuration: String

    /// - Parameters:
    ///   - replies: where replies may go.
    ///   - more: further members of the configuration, as JSON text.
    init(replies: [String] = ["myapp"], more: String = "", expires: String = "") throws {
        workbench = try Workbench.mine()
        let tokenFile = workbench.path("user-token")
        if !FileManager.default.fileExists(atPath: tokenFile) {
            _ = FileManager.default.createFile(
                atPath: tokenFile, contents: Data((Self.token + "\n").utf8), attributes: [.posixPermissions: 0o600])
        }
        configuration = workbench.path("kiosk-\(UInt32.random(in: 0 ... .max)).json")
        let schemes = replies.map { "\"\($0)\"" }.joined(separator: ",")
        let expiry = expires.isEmpty ? "" : ",\"expires\":\"\(expires)\""
        let json =
            "{\"userToken\":{\"userTokenFile\":\"\(tokenFile)\"\(expiry)},\"replySchemes\":[\(schemes)]"
            + (more.isEmpty ? "" : "," + more) + "}"
        try Data(json.utf8).write(to: URL(fileURLWithPath: configuration))
    }

    /// A request's URL; values are encoded by Foundation, not by the product.
    static func url(_ pairs: [(String, String)]) -> String {
        let plain = CharacterSet(charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
        return "billpocket://"
            + pairs.map { "\($0)=\($1.addingPercentEncoding(withAllowedCharacters: plain) ?? "")" }
            .joined(separator: "&")
    }

    static func sale(_ amount: String, _ more: (String, String)..., address: String = "myapp", id: String = "id-1")
        -> String
    {
        url(
            [
                ("transaction", "venta"), ("usertoken", token), ("identifier", id), ("amount", amount),
                ("urlScheme", address),
            ] + more)
    }

    static func refund(of sale: String, _ more: (String, String)..., address: String = "myapp", id: String = "id-2")
        -> String
    {
        url(
            [
                ("transaction", "devolucion"), ("usertoken", token), ("identifier", id), ("urlScheme", address),
                ("transactionId", sale),
            ] + more)
    }

    func open(_ url: String, _ more: String..., card: String = "visa-credit") -> Program {
        readerctl(["open", url, "--config", configuration, "--simulate", card] + more)
    }

    /// Everything that was stored, except the token's own file.
    func filesHoldingToken() -> [String] {
        let files = FileManager.default.enumerator(atPath: workbench.directory)
        var found: [String] = []
        while let name = files?.nextObject() as? String {
            guard name != "user-token", let content = FileManager.default.contents(atPath: workbench.path(name)) else {
                continue
            }
            if content.range(of: Data(Self.token.utf8)) != nil { found.append(name) }
        }
        return found
    }
}

/// The pairs of a reply URL, in order and decoded by Foundation.
struct ReplyText {
    let address: String
    let keys: [String]
    private let values: [String: String]

    init(_ text: String) {
        let url = text.hasSuffix("\n") ? String(text.dropLast()) : text
        let end = url.range(of: "result=")?.lowerBound ?? url.endIndex
        address = String(url[..<end])
        let pieces = url[end...].components(separatedBy: "&").map { $0.components(separatedBy: "=") }
        keys = pieces.map { $0[0] }
        values = Dictionary(pieces.map { ($0[0], $0.last?.removingPercentEncoding ?? "") }) { first, _ in first }
    }

    subscript(key: String) -> String? { values[key] }
}

/// A web server on the loopback that answers every request alike, and tells of each.
struct ReplyServer {
    let port: String
    private let program: RunningProgram

    struct Silent: Error {}

    static func start(status: Int = 200) async throws -> ReplyServer {
        let code = """
            import http.server, json, sys
            class Handler(http.server.BaseHTTPRequestHandler):
                def answer(self):
                    body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
                    told = [self.command, self.path, self.headers.get("Content-Type", ""), body]
                    print(json.dumps(told), flush=True)
                    self.send_response(\(status))
                    self.send_header("Location", "file:///etc/hostname")
                    self.end_headers()
                do_GET = do_POST = answer
                def log_message(self, *ignored): pass
            server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
            print(server.server_port, flush=True)
            server.serve_forever()
            """
        let program = try Workbench.mine().start(Program("python3", ["-c", code]))
        guard let port = await program.line() else { throw Silent() }
        return ReplyServer(port: port, program: program)
    }

    var origin: String { "http://127.0.0.1:\(port)" }

    /// Method, path, content type and body of the next request.
    func request() async throws -> [String] {
        guard let line = await program.line() else { throw Silent() }
        return try JSONDecoder().decode([String].self, from: Data(line.utf8))
    }

    func stop() { program.send(SIGKILL) }
}
