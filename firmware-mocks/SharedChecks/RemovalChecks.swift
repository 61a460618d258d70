internal import Transport

extension SharedList {
    static let removal: [NamedCheck] = [
        NamedCheck("in-flight-no-device", .removal) { session in
            let outcome = try await session.sendAway()
            guard case .failure(let error) = outcome, error.code == .gone else {
                throw CheckFailure("the receive in flight ended as \(outcome)")
            }
        },
        NamedCheck("hotplug-left", .removal) { session in
            try await session.awaitDeparture()
        },
        NamedCheck("transfer-on-gone-device", .removal) { session in
            let transport = try await session.departedDevice().transport
            try await expectError(.gone, "send") { try await transport.send([0x01, 0x02], until: session.deadline()) }
            try await expectError(.gone, "receive") {
                _ = try await transport.receive(atMost: 512, until: session.deadline())
            }
            try await expectError(.gone, "control") {
                let request = ControlRequest(requestType: 0xC0, request: 0x01, value: 0, index: 0, expectedLength: 8)
                _ = try await transport.control(request, until: session.deadline())
            }
            try await expectError(.gone, "receive event") {
                _ = try await transport.receiveEvent(until: session.deadline())
            }
        },
    ]

    static let `return`: [NamedCheck] = [
        NamedCheck("hotplug-arrived", .return) { session in
            _ = try await session.awaitReturn()
        },
        NamedCheck("reopen", .return) { session in
            try await session.hasReturned()
            _ = try await session.freshConnection()
            await session.disconnect()
        },
        NamedCheck("claim-again", .return) { session in
            try await session.hasReturned()
            let transport = try await session.connection()
            try expectEqual(transport.traits.packetSize, 512, "packet size of the bulk pipe")
        },
        NamedCheck("echo-after-replug", .return) { session in
            try await session.hasReturned()
            try await session.expectEcho("back again", on: try await session.connection())
        },
    ]
}
