import Crypto
import Foundation
import HTTPClient
import Testing
import Webhooks

/// What goes over the line, judged by Python's own HMAC over the raw bytes: it answers 204 only if both signatures agree.
@Suite(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3"))) struct SenderTests {
    private static let receiver = """
        import hashlib, hmac, http.server, sys
        class Receiver(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                sign = lambda text: hmac.new(b"demo-secret", text, hashlib.sha256).hexdigest()
                time = self.headers["X-Kushki-Id"]
                good = (self.headers["X-Kushki-Signature"] == sign(body + b"." + time.encode())
                    and self.headers["X-Kushki-SimpleSignature"] == sign(time.encode())
                    and self.headers["X-Kushki-Key"] == "merchant-1" and time == "1700000000"
                    and self.headers["Content-Type"] == "application/json")
                self.send_response(204 if good else 403)
                self.end_headers()
            def log_message(self, *_): pass
        server = http.server.HTTPServer(("127.0.0.1", 0), Receiver)
        server.timeout = 30
        print(server.server_port, flush=True)
        server.handle_request()
        """

    @Test(arguments: [("demo-secret", 204), ("other-secret", 403)])
    func pythonAcceptsExactlyTheRightSecret(_ secret: String, _ expected: Int) async throws {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = ["-c", Self.receiver]
        process.standardOutput = output
        try process.run()
        let port = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
            .trimmingCharacters(in: .whitespacesAndNewlines)
        let answer = try await sender("http://127.0.0.1:\(port)/hook", secret).send(transaction, at: 1_700_000_000_999)
        process.waitUntilExit()
        #expect(answer == .status(expected))
    }

    @Test(arguments: ["", "a\nX-Kushki-Key: b", "a\rb", "\u{0}", "é", String(repeating: "a", count: 129)])
    func aKeyIDThatWouldMakeHeadersOfItsOwnIsRefused(_ keyID: String) {
        let sender = WebhookSender(
            url: "http://127.0.0.1:1/", keyID: keyID, secret: SecretBytes([1]), client: HTTPClient())
        #expect(sender == nil)
    }

    @Test func anAddressThatDoesNotAnswerHasAcceptedNothing() async throws {
        let answer = try await sender("http://127.0.0.1:1/", "demo-secret").send(transaction, at: 1_000)
        guard case .none(let error) = answer else {
            Issue.record("\(answer)")
            return
        }
        #expect(error.code == .unreachable && !answer.isAccepted)
    }

    private var transaction: ApprovedTransaction {
        var transaction = ApprovedTransaction(transactionID: "t1", amount: "100.00", approvedAt: 1_700_000_000_000)
        transaction.reference = "mesa ñ 🙂"
        return transaction
    }

    private func sender(_ url: String, _ secret: String) throws -> WebhookSender {
        try #require(
            WebhookSender(
                url: url, keyID: "merchant-1", secret: SecretBytes(Array(secret.utf8)),
                client: HTTPClient(usesProxies: false)))
    }
}
