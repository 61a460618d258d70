internal import Transport

extension SharedList {
    private static let withBus: Set<Rung> = [.umockdev, .qemu]

    static let endurance: [NamedCheck] = [
        NamedCheck("twins-by-port", .endurance, rungs: withBus) { session in
            try await session.start()
            let twins = try await session.bench.present().filter(CheckSession.isReference)
            guard twins.count >= 2 else { throw CheckSkip("needs two reference readers; \(twins.count) present") }
            try expectEqual(Set(twins.map(\.portPath)).count, twins.count, "distinct port paths")
            await session.disconnect()
            for twin in twins {
                let transport = try await session.bench.open(twin, until: session.deadline())
                try await session.expectEcho(twin.portPath, on: transport)
                await transport.close()
            }
        },
        NamedCheck("cancel-races-completion", .endurance, bound: .seconds(20)) { session in
            let transport = try await session.connection()
            for round in UInt8(0)..<100 {
                let receive = Task { await CheckSession.receive(transport, until: session.deadline()) }
                let canceller = Task {
                    for _ in 0..<(round % 10) { await Task.yield() }
                    receive.cancel()
                }
                try await transport.send([0x01, round], until: session.deadline())
                await canceller.value
                switch await receive.value {
                case .success(let bytes):
                    try expectEqual(bytes, [round], "data that won the race")
                case .failure(let error):
                    try expectEqual(error.code, .cancelled, "the loser")
                    // The reply is still with the reader, not lost on the way.
                    let bytes = try await transport.receive(atMost: 512, until: session.deadline())
                    try expectEqual(bytes, [round], "the reply after a cancel")
                }
            }
        },
        NamedCheck("close-with-eight-in-flight", .endurance) { session in
            let transport = try await session.freshConnection()
            try await withThrowingTaskGroup(of: Result<[UInt8], TransportError>.self) { group in
                for _ in 0..<8 {
                    group.addTask { await CheckSession.receive(transport, until: session.deadline(.seconds(4))) }
                }
                try await session.expectNothing(for: .milliseconds(20))
                await session.disconnect()
                for try await outcome in group {
                    guard case .failure(let error) = outcome, error.code == .closed else {
                        throw CheckFailure("a receive in flight ended as \(outcome)")
                    }
                }
            }
            try await session.expectEcho("open again", on: try await session.connection())
        },
        NamedCheck("thirty-replugs", .endurance, rungs: withBus, bound: .seconds(60)) { session in
            var baseline: (descriptors: Int?, memory: Int?) = (nil, nil)
            for round in 0..<30 {
                let outcome = try await session.sendAway()
                guard case .failure(let error) = outcome, error.code == .gone else {
                    throw CheckFailure("round \(round): the receive ended as \(outcome)")
                }
                _ = try await session.awaitReturn()
                try await session.expectEcho("round \(round)", on: try await session.connection())
                // The first rounds warm up pools and caches.
                if round == 4 { baseline = (session.bench.openDescriptors(), session.bench.residentMemory()) }
            }
            if let before = baseline.descriptors, let after = session.bench.openDescriptors() {
                try expectEqual(after, before, "open descriptors after 25 more rounds")
            }
            if let before = baseline.memory, let after = session.bench.residentMemory() {
                try expect(after - before < 4 << 20, "memory grew by \(after - before) bytes in 25 rounds")
            }
        },
        NamedCheck("idle-one-second", .endurance, rungs: withBus) { session in
            let transport = try await session.connection()
            guard let before = session.bench.processorTime() else {
                throw CheckSkip("processor time is not measured here")
            }
            async let event: Void = expectQuiet(transport, session)
            try await event
            guard let after = session.bench.processorTime() else { return }
            try expect(after - before < .milliseconds(10), "one idle second used \(after - before) of processor time")
        },
    ]

    private static func expectQuiet(_ transport: any Transport, _ session: CheckSession) async throws {
        try await expectError(.timedOut, "a listener with nothing to hear") {
            _ = try await transport.receiveEvent(until: session.deadline(.seconds(1)))
        }
    }
}
