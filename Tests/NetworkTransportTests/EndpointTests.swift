import NetworkTransport
import Testing

@Suite struct EndpointTests {
    @Test("a host and a port are read from text and written again")
    func parsing() throws {
        for text in ["127.0.0.1:8583", "[::1]:0", "host.example:65535", "localhost:1"] {
            #expect(Endpoint(text)?.description == text)
        }
        #expect(Endpoint("[::1]:443")?.host == "::1")
    }

    @Test(
        "what is not an endpoint is refused",
        arguments: [
            "", ":", "host", "host:", ":1", "host:65536", "host:-1", "host:+1", "host:1 ", "::1:80", "ho st:1",
            "host:٣",
            "host:000001", "a/b:1",
        ])
    func refused(text: String) {
        #expect(Endpoint(text) == nil)
    }

    @Test("this machine's own addresses are told from others")
    func loopback() throws {
        for host in ["127.0.0.1", "127.9.9.9", "::1", "localhost"] {
            #expect(try #require(Endpoint(host: host, port: 1)).isLoopback, "\(host)")
        }
        for host in ["0.0.0.0", "::", "10.0.0.1", "example.com", "128.0.0.1"] {
            #expect(try !#require(Endpoint(host: host, port: 1)).isLoopback, "\(host)")
        }
    }
}
