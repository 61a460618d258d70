internal import Transport
internal import USBDescriptors

extension SharedList {
    private static let withBus: Set<Rung> = [.umockdev, .qemu]

    static let discovery: [NamedCheck] = [
        NamedCheck("context-init", .discovery) { session in
            try await session.start()
        },
        NamedCheck("udev-enumerates", .discovery, rungs: withBus) { session in
            try await session.start()
            let found = try await session.bench.scan()
            try expect(
                found.contains(where: CheckSession.isReference), "the scan lists \(found.count) other devices only")
        },
        NamedCheck("hotplug-registers-and-enumerates", .discovery, rungs: withBus) { session in
            try await session.start()
            let found = try await session.bench.present()
            try expect(
                found.contains(where: CheckSession.isReference), "the monitor began without the reference reader")
        },
        NamedCheck("config-descriptor", .discovery) { session in
            let device = try await session.device()
            let parsed = try DescriptorSet(parsing: device.descriptors)
            try expectEqual(parsed.device.vendorId, CheckSession.referenceVendor, "idVendor")
            try expectEqual(parsed.device.productId, CheckSession.referenceProduct, "idProduct")
            try expectEqual(parsed.configurations.count, 1, "configurations")
            let interfaces = parsed.configurations.first?.interfaces ?? []
            try expectEqual(interfaces.map(\.interfaceClass), [0xFF], "interface classes")
            let endpoints = interfaces.flatMap(\.endpoints)
            try expectEqual(endpoints.map(\.address), [0x02, 0x82, 0x83], "endpoint addresses")
            try expectEqual(endpoints.map(\.transferType), [.bulk, .bulk, .interrupt], "endpoint types")
            try expectEqual(endpoints.map(\.maxPacketSize), [512, 512, 8], "packet sizes")
        },
        NamedCheck("open", .discovery) { session in
            _ = try await session.freshConnection()
            await session.disconnect()
        },
        NamedCheck("claim", .discovery) { session in
            let transport = try await session.connection()
            try expectEqual(transport.traits.packetSize, 512, "packet size of the bulk pipe")
            try expect(transport.traits.hasEvents, "the interrupt pipe was not found")
            try expect(transport.traits.hasControl, "no control pipe")
        },
    ]
}
