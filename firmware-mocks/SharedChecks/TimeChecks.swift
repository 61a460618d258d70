internal import Transport

extension SharedList {
    static let time: [NamedCheck] = [
        NamedCheck("timeout-300", .time) { session in
            let transport = try await session.connection()
            try await transport.send([0x04], until: session.deadline())
            let (clock, bench) = (session.bench.clock, session.bench)
            let (start, busy) = (clock.now(), bench.processorTime())
            let error = try await expectError(.timedOut, "receive from a silent reader") {
                _ = try await transport.receive(atMost: 512, until: session.deadline(.milliseconds(300)))
            }
            let elapsed = start.duration(to: clock.now())
            try expectEqual(error.partial, [], "partial bytes")
            try expect(
                elapsed >= .milliseconds(290) && elapsed <= .milliseconds(500), "300 ms asked, \(elapsed) taken")
            if let busy, let after = bench.processorTime() {
                try expect(after - busy < .milliseconds(60), "waiting used \(after - busy) of processor time")
            }
            try await session.expectEcho("after the time-out", on: transport)
        },
        NamedCheck("late-150", .time) { session in
            let transport = try await session.connection()
            let start = session.bench.clock.now()
            let reply = try await session.exchange([0x07], on: transport)
            try expectEqual(reply, Array("late".utf8), "the late reply")
            let elapsed = start.duration(to: session.bench.clock.now())
            try expect(elapsed >= .milliseconds(140), "the reply came after \(elapsed) already")
        },
        NamedCheck("interrupt-notify", .time) { session in
            let transport = try await session.connection()
            // The listener waits while bulk transfers run.
            async let event = transport.receiveEvent(until: session.deadline(.seconds(3)))
            try await session.expectEcho("meanwhile", on: transport)
            try await transport.send([0x05], until: session.deadline())
            try expectEqual(try await event, [0x50, 0x03], "notification")
        },
    ]
}
