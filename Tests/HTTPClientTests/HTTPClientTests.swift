import Glibc
import Testing

@testable import HTTPClient

@Suite struct HTTPClientTests {
    private static let client = HTTPClient(timeLimit: .seconds(20), largestBody: 1000, usesProxies: false)

    private static func code(_ url: String) async -> HTTPError.Code? {
        do throws(HTTPError) {
            _ = try await client.send(HTTPRequest(.get, url: url))
            return nil
        } catch {
            return error.code
        }
    }

    @Test("GET sends the address as it is, and gives status and body")
    func get() async throws {
        let server = try OneAnswerServer("HTTP/1.1 201 Created\r\nContent-Length: 3\r\n\r\nabc")
        let answer = try await Self.client.send(
            HTTPRequest(.get, url: server.url + "/r?a=%26%C3%B1&b=%28", headers: ["X-Test: 1"]))
        #expect(answer == HTTPResponse(status: 201, body: Array("abc".utf8)))
        let heard = await server.heard()
        #expect(heard.hasPrefix("GET /r?a=%26%C3%B1&b=%28 HTTP/1.1\r\n"))
        #expect(heard.contains("\r\nX-Test: 1\r\n"))
    }

    @Test("POST sends exactly its body, also an empty one", arguments: ["{\"a\":\"ñ\"}", ""])
    func post(body: String) async throws {
        let server = try OneAnswerServer("HTTP/1.1 204 No Content\r\n\r\n")
        let answer = try await Self.client.send(
            HTTPRequest(.post(body: Array(body.utf8), contentType: "application/json"), url: server.url + "/"))
        #expect(answer.isSuccess)
        let heard = await server.heard()
        #expect(heard.hasPrefix("POST / HTTP/1.1\r\n"))
        #expect(heard.contains("\r\nContent-Type: application/json\r\n"))
        #expect(heard.contains("\r\nContent-Length: \(body.utf8.count)\r\n"))
        #expect(heard.hasSuffix("\r\n\r\n" + body))
    }

    @Test("a redirect is an answer like others: nobody is asked again")
    func redirect() async throws {
        let server = try OneAnswerServer(
            "HTTP/1.1 302 Found\r\nLocation: file:///etc/hostname\r\nContent-Length: 0\r\n\r\n")
        let answer = try await Self.client.send(HTTPRequest(.get, url: server.url))
        #expect(answer == HTTPResponse(status: 302))
        #expect(!answer.isSuccess)
    }

    @Test("a body of the largest size is taken and one byte more is not")
    func largestBody() async throws {
        for (length, code) in [(1000, nil), (1001, HTTPError.Code.tooLarge)] {
            let body = String(repeating: "x", count: length)
            let server = try OneAnswerServer("HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\n\(body)")
            #expect(await Self.code(server.url) == code, "\(length)")
        }
    }

    @Test(
        "an answer that is no HTTP, or breaks off, is a failure",
        arguments: ["", "hello\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"])
    func garbage(answer: String) async throws {
        let server = try OneAnswerServer(answer)
        #expect(await Self.code(server.url) == .failed)
    }

    @Test(
        "other protocols are refused",
        arguments: [
            "file:///etc/hostname", "ftp://127.0.0.1/x", "gopher://127.0.0.1/", "nonsense", "http://", "http://[/",
        ])
    func otherProtocols(url: String) async {
        #expect(await Self.code(url) == .badAddress)
    }

    @Test("without libcurl, and with a library that is not libcurl, it says what to install")
    func noLibrary() {
        for (name, finding) in [("libcurl-none.so.4", "libcurl-none.so.4: "), ("libc.so.6", "has no curl_global_init")]
        {
            #expect {
                _ = try CurlLibrary(name)
            } throws: { error in
                let error = error as? HTTPError
                return error?.code == .libraryMissing && error?.detail.contains(finding) == true
                    && "\(error.map(String.init(describing:)) ?? "")".hasSuffix("install the Debian package libcurl4")
            }
        }
    }

    @Test("a port where nobody listens is unreachable")
    func nobody() async throws {
        #expect(await Self.code("http://127.0.0.1:\(try OneAnswerServer.freePort())/") == .unreachable)
    }

    @Test("a server that is silent is given up at the time limit")
    func silent() async throws {
        let server = try OneAnswerServer(nil)
        let client = HTTPClient(timeLimit: .milliseconds(200), usesProxies: false)
        await #expect(throws: HTTPError.self) { try await client.send(HTTPRequest(.get, url: server.url)) }
        server.release()
    }

    @Test("cancelling ends a request under way")
    func cancelling() async throws {
        let server = try OneAnswerServer(nil)
        let task = Task { await Self.code(server.url) }
        _ = await server.heard()
        task.cancel()
        #expect(await task.value == .cancelled)
        server.release()
    }

    @Test("an https server that speaks no TLS is not trusted")
    func noTLS() async throws {
        let server = try OneAnswerServer("HTTP/1.1 200 OK\r\n\r\n")
        #expect(await Self.code("https" + server.url.dropFirst(4)) == .untrusted)
    }
}
