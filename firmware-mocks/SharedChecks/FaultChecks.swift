internal import Transport

extension SharedList {
    static let faults: [NamedCheck] = [
        NamedCheck("busy-on-claim", .faults, rungs: [.umockdev]) { session in
            let device = try await session.steer("errno claim EBUSY 1")
            let error = try await expectError(.busy, "a claim that another program holds") {
                await (try session.bench.open(device, until: session.deadline())).close()
            }
            try expectEqual(error.underlying, "LIBUSB_ERROR_BUSY", "the library's name for it")
            try await session.expectEcho("free again", on: try await session.connection())
        },
        NamedCheck("driver-detached-and-back", .faults, rungs: [.umockdev]) { session in
            let device = try await session.steer("driver cdc_acm")
            // Unasked, nothing is taken from a driver.
            try await expectBusy(device, session)
            try await session.expectEcho("taken over", on: try await session.connection())
            await session.disconnect()
            // Closing gave it back.
            try await expectBusy(device, session)
            // So does a claim that fails after the detach.
            try await session.bench.steer("errno claim EBUSY 1", at: device)
            try await expectError(.busy, "claim after detach") {
                await (try session.bench.open(device, until: session.deadline())).close()
            }
            try await expectBusy(device, session)
            try await session.bench.steer("driver none", at: device)
        },
        NamedCheck("access-soon-after-arrival", .faults, rungs: [.umockdev]) { session in
            let device = try await session.replug(steering: "access denied 200")
            let transport = try await session.bench.open(device, until: session.deadline())
            try await session.expectEcho("allowed now", on: transport)
            await transport.close()
            _ = try await session.replug(steering: "access granted")
        },
        NamedCheck("access-denied-for-good", .faults, rungs: [.umockdev], bound: .seconds(10)) { session in
            let device = try await session.replug(steering: "access denied 60000")
            let start = session.bench.clock.now()
            let error = try await expectError(.denied, "a node without access") {
                await (try session.bench.open(device, until: session.deadline(.seconds(5)))).close()
            }
            try expectEqual(error.underlying, "LIBUSB_ERROR_ACCESS", "the library's name for it")
            let elapsed = start.duration(to: session.bench.clock.now())
            try expect(elapsed < .seconds(3), "it took \(elapsed) to say so")
            _ = try await session.replug(steering: "access granted")
            try await session.expectEcho("allowed again", on: try await session.connection())
        },
        NamedCheck("without-scatter-gather", .faults, rungs: [.umockdev]) { session in
            let device = try await session.steer("capabilities 0x17")
            let transport = try await session.connection()
            // libusb now splits the receive at 16 KiB; the short packet ends its first part, and the others are taken back.
            let bytes = (0..<10_000).map { UInt8(truncatingIfNeeded: $0 &* 13) }
            let reply = try await session.exchange([0x01] + bytes, atMost: 40_448, on: transport)
            try expect(reply == bytes, "10000 bytes came back as \(reply.count), or changed")
            try await session.expectTimeOutAndEcho(on: transport)
            await session.disconnect()
            try await session.bench.steer("capabilities 0x1F", at: device)
        },
    ]

    private static func expectBusy(_ device: BenchDevice, _ session: CheckSession) async throws {
        try await expectError(.busy, "an interface that a kernel driver holds") {
            let deadline = session.deadline()
            await (try session.bench.open(device, detachingDriver: false, until: deadline)).close()
        }
    }
}

extension CheckSession {
    /// Closes the connection, then steers the reader. Returns the reader.
    func steer(_ command: String) async throws -> BenchDevice {
        let device = try await device()
        await disconnect()
        try await bench.steer(command, at: device)
        return device
    }

    /// Steers, unplugs, plugs in again. Returns the reader as it arrived.
    func replug(steering command: String) async throws -> BenchDevice {
        let device = try await steer(command)
        try await bench.steer("unplug", at: device)
        try await bench.steer("plug", at: device)
        let isBack: @Sendable (BenchDevice) -> Bool = {
            $0.portPath == device.portPath && $0.deviceNumber != device.deviceNumber
        }
        let present = try await bench.present(until: deadline()) { $0.contains(where: isBack) }
        guard let back = present?.first(where: isBack) else { throw CheckFailure("the reader did not come back") }
        return back
    }

    /// A receive of several transfers' length that times out leaves nothing behind.
    func expectTimeOutAndEcho(on transport: any Transport) async throws {
        try await expectError(.timedOut, "a long receive from a silent reader") {
            _ = try await transport.receive(atMost: 40_448, until: deadline(.milliseconds(100)))
        }
        try await expectEcho("after that", on: transport)
    }
}
