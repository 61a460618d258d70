internal import Transport

extension SharedList {
    static let bulk: [NamedCheck] = [
        NamedCheck("echo", .bulk) { session in
            try await session.expectEcho("hello, reader", on: try await session.connection())
        },
        NamedCheck("echo-2000", .bulk) { session in
            let bytes = (0..<2000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
            let transport = try await session.connection()
            let reply = try await session.exchange([0x01] + bytes, atMost: 2048, on: transport)
            try expect(reply == bytes, "2000 bytes came back as \(reply.count), or changed")
        },
        NamedCheck("short-5-of-512", .bulk) { session in
            let reply = try await session.exchange([0x02, 5], on: try await session.connection())
            try expectEqual(reply, [UInt8](repeating: 0xA5, count: 5), "five bytes")
        },
        NamedCheck("zero-length", .bulk) { session in
            let reply = try await session.exchange([0x02, 0], on: try await session.connection())
            try expectEqual(reply, [], "a zero-length packet")
        },
        NamedCheck("short-100-of-512", .bulk) { session in
            let reply = try await session.exchange([0x02, 100], on: try await session.connection())
            try expectEqual(reply, [UInt8](repeating: 0xA5, count: 100), "a hundred bytes")
        },
        NamedCheck("bulk-stall", .bulk) { session in
            try await halt(session)
        },
        NamedCheck("clear-halt", .bulk) { session in
            try await halt(session)
            try await session.connection().clearStall(.receive, until: session.deadline())
        },
        NamedCheck("echo-after-clear", .bulk) { session in
            let transport = try await session.connection()
            try await transport.clearStall(.receive, until: session.deadline())
            try await session.expectEcho("again", on: transport)
        },
    ]

    /// Halts bulk IN and sees the stall. Halting a halted pipe changes nothing.
    private static func halt(_ session: CheckSession) async throws {
        let transport = try await session.connection()
        try await transport.send([0x03], until: session.deadline())
        try await expectError(.stalled, "receive on a halted pipe") {
            _ = try await transport.receive(atMost: 512, until: session.deadline())
        }
    }
}
