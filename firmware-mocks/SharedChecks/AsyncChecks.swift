internal import Transport

extension SharedList {
    static let async: [NamedCheck] = [
        NamedCheck("submit-and-cancel", .async) { session in
            let transport = try await session.connection()
            let receive = Task { await CheckSession.receive(transport, until: session.deadline(.seconds(4))) }
            // Let it get in flight, as far as that can be had without looking inside.
            try await session.expectNothing(for: .milliseconds(20))
            receive.cancel()
            let outcome = await receive.value
            guard case .failure(let error) = outcome, error.code == .cancelled else {
                throw CheckFailure("cancelled receive ended as \(outcome)")
            }
            // Nothing is left in flight that could swallow this.
            try await session.expectEcho("after the cancel", on: transport)
        },
        NamedCheck("eight-in-order", .async) { session in
            let transport = try await session.connection()
            async let replies = receiveEight(transport, session)
            for number in UInt8(1)...8 {
                let message = [0x01] + [UInt8](repeating: number, count: Int(number) * 40)
                try await transport.send(message, until: session.deadline())
            }
            let expected = (UInt8(1)...8).map { [UInt8](repeating: $0, count: Int($0) * 40) }
            try expect(try await replies == expected, "the eight replies are not the eight messages in order")
        },
    ]

    private static func receiveEight(_ transport: any Transport, _ session: CheckSession) async throws -> [[UInt8]] {
        var replies: [[UInt8]] = []
        for _ in 0..<8 {
            replies.append(try await transport.receive(atMost: 512, until: session.deadline()))
        }
        return replies
    }
}

extension CheckSession {
    /// Lets time pass on the bench.
    nonisolated func expectNothing(for duration: Duration) async throws {
        await bench.clock.sleep(until: bench.clock.now().advanced(by: duration))
        try Task.checkCancellation()
    }
}
