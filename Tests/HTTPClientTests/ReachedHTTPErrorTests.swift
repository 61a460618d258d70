import Testing

@testable import HTTPClient

/// Every code of a request to a server, by what brings it about. A new code needs a scenario here.
@Suite struct ReachedHTTPErrorTests {
    @Test("every code is reached", arguments: HTTPError.Code.allCases)
    func reached(code: HTTPError.Code) async throws {
        #expect(try await error(code)?.code == code)
    }

    private func error(_ code: HTTPError.Code) async throws -> HTTPError? {
        switch code {
        case .badAddress: return await asking("ftp://127.0.0.1/x")
        case .unreachable: return await asking("http://127.0.0.1:\(try OneAnswerServer.freePort())/")
        case .untrusted:
            let server = try OneAnswerServer("HTTP/1.1 200 OK\r\n\r\n")
            return await asking("https" + server.url.dropFirst(4))
        case .timedOut:
            let server = try OneAnswerServer(nil)
            let error = await asking(server.url, timeLimit: .milliseconds(200))
            server.release()
            return error
        case .tooLarge:
            let body = String(repeating: "x", count: 1001)
            return await asking(try OneAnswerServer("HTTP/1.1 200 OK\r\nContent-Length: 1001\r\n\r\n" + body).url)
        case .cancelled:
            let server = try OneAnswerServer(nil)
            let task = Task { await asking(server.url) }
            _ = await server.heard()
            task.cancel()
            let error = await task.value
            server.release()
            return error
        case .failed: return await asking(try OneAnswerServer("hello\r\n\r\n").url)
        case .libraryMissing:
            do throws(HTTPError) {
                _ = try CurlLibrary("libcurl-none.so.4")
                return nil
            } catch {
                return error
            }
        }
    }

    private func asking(_ url: String, timeLimit: Duration = .seconds(20)) async -> HTTPError? {
        do throws(HTTPError) {
            _ = try await HTTPClient(timeLimit: timeLimit, largestBody: 1000, usesProxies: false)
                .send(HTTPRequest(.get, url: url))
            return nil
        } catch {
            return error
        }
    }
}
