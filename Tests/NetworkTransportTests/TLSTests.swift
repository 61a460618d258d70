import Foundation
import Testing
import Transport

@testable import NetworkTransport

/// TLS against ourselves and against OpenSSL's own client, with certificates made by the OpenSSL command line.
@Suite(.enabled(if: Certificates.absence == nil, "\(Certificates.absence ?? "")")) struct TLSTests {
    @Test("with the pinned authority and the right name, bytes go both ways", arguments: ["127.0.0.1", "localhost"])
    func agreed(name: String) async throws {
        let files = try await Certificates()
        let bed = try Bed()
        let endpoint = try bed.listen(tls: files.server)
        let client = try await bed.loop.connect(
            to: endpoint, tls: TLSClientSettings(authorityFile: files.authority, serverName: name), until: bed.soon())
        let server = try await bed.server()
        let large = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        async let sent: Void = client.send(large, until: bed.soon())
        #expect(try await server.receive(large.count, until: bed.soon()) == large)
        try await sent
        try await server.send([1, 2, 3], until: bed.soon())
        #expect(try await client.receive(3, until: bed.soon()) == [1, 2, 3])
        await server.close()
        let error = await #expect(throws: NetworkError.self) { _ = try await client.receive(until: bed.soon()) }
        #expect(error?.code == .closed)
    }

    @Test("the host's own certificate may be pinned instead of its authority")
    func pinned() async throws {
        let files = try await Certificates()
        let bed = try Bed()
        let endpoint = try bed.listen(tls: files.server)
        let client = try await bed.loop.connect(
            to: endpoint,
            tls: TLSClientSettings(authorityFile: files.server.certificateFile, serverName: "localhost"),
            until: bed.soon())
        #expect(client.ending == nil)
        await client.close()
    }

    @Test("another name, another authority, the system's authorities, and a host without TLS are not trusted")
    func refused() async throws {
        let files = try await Certificates()
        let other = try await Certificates()
        let bed = try Bed()
        let endpoint = try bed.listen(tls: files.server)
        let wrong = [
            TLSClientSettings(authorityFile: files.authority, serverName: "other.example"),
            TLSClientSettings(authorityFile: files.authority, serverName: "127.0.0.2"),
            TLSClientSettings(authorityFile: other.authority, serverName: "localhost"),
        ]
        for settings in wrong {
            let error = await #expect(throws: NetworkError.self) {
                _ = try await bed.loop.connect(to: endpoint, tls: settings, until: bed.soon())
            }
            #expect(error?.code == .untrusted)
            #expect(error?.detail.hasPrefix("the host's certificate is refused: ") == true)
        }
        let missing = await #expect(throws: NetworkError.self) {
            let settings = TLSClientSettings(authorityFile: files.authority + ".absent")
            _ = try await bed.loop.connect(to: endpoint, tls: settings, until: bed.soon())
        }
        #expect(missing?.code == .setting)
    }

    @Test("a host that speaks no TLS ends the connection instead of being believed")
    func noTLS() async throws {
        let files = try await Certificates()
        let bed = try Bed()
        let plain = try Bed()
        let endpoint = try plain.listen()
        async let answer: Void = {
            let server = try await plain.server()
            _ = try await server.receive(until: plain.soon())
            try await server.send(Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8), until: plain.soon())
        }()
        let error = await #expect(throws: NetworkError.self) {
            let settings = TLSClientSettings(authorityFile: files.authority, serverName: "localhost")
            _ = try await bed.loop.connect(to: endpoint, tls: settings, until: bed.soon())
        }
        #expect(error?.code == .untrusted)
        try await answer
    }

    @Test("OpenSSL's own client agrees with our listening side on 1.2 and 1.3, and on nothing older")
    func judged() async throws {
        let files = try await Certificates()
        for (version, agrees) in [("-tls1_3", true), ("-tls1_2", true), ("-tls1_1", false)] {
            let bed = try Bed()
            let endpoint = try bed.listen(tls: files.server)
            let status = try await Certificates.openssl([
                "s_client", "-connect", "\(endpoint)", version, "-CAfile", files.authority, "-verify_return_error",
                "-servername", "localhost",
            ])
            #expect((status == 0) == agrees, "\(version)")
        }
    }

    @Test("what was right before a damaged record is still read")
    func damaged() async throws {
        let files = try await Certificates()
        let context = try TLSContext(
            TLSClientSettings(authorityFile: files.authority, serverName: "localhost"), connectingTo: "localhost")
        let client = try TLSSession(context)
        let server = try TLSSession(TLSContext(files.server))
        var isReady = (client: false, server: false)
        while !isReady.client || !isReady.server {
            isReady.client = try client.handshake()
            try server.feed(client.takeOutgoing()[...])
            isReady.server = try server.handshake()
            try client.feed(server.takeOutgoing()[...])
        }
        try server.write(Array("approved".utf8))
        let forged: [UInt8] = [0x17, 0x03, 0x03, 0x00, 0x20] + [UInt8](repeating: 0xA5, count: 0x20)
        try client.feed((server.takeOutgoing() + forged)[...])
        let read = client.read()
        #expect(read.bytes == Array("approved".utf8))
        #expect(read.ending?.code == .closed)
    }

    @Test("certificate and key that do not belong together are refused before anything is listened on")
    func wrongKey() async throws {
        let (files, other) = (try await Certificates(), try await Certificates())
        let bed = try Bed()
        let mixed = TLSServerSettings(certificateFile: files.server.certificateFile, keyFile: other.server.keyFile)
        let error = #expect(throws: NetworkError.self) { _ = try bed.listen(tls: mixed) }
        #expect(error?.code == .setting)
    }
}
