internal import Transport
internal import USBDescriptors

extension SharedList {
    static let control: [NamedCheck] = [
        NamedCheck("string-descriptor", .control) { session in
            let transport = try await session.connection()
            for (index, expected) in [(1, "Mock Works"), (2, "Card Reader")] {
                let request = ControlRequest(
                    requestType: 0x80, request: 0x06, value: 0x0300 | UInt16(index), index: 0x0409, expectedLength: 255)
                let bytes = try await transport.control(request, until: session.deadline())
                try expectEqual(StringDescriptor.text(bytes), expected, "string \(index)")
            }
        },
        NamedCheck("vendor-in-short", .control) { session in
            let transport = try await session.connection()
            let request = ControlRequest(requestType: 0xC0, request: 0x01, value: 0, index: 0, expectedLength: 64)
            let bytes = try await transport.control(request, until: session.deadline())
            try expectEqual(bytes, Array("FW-1.2.3".utf8), "eight bytes of sixty-four")
        },
        NamedCheck("vendor-out", .control) { session in
            let transport = try await session.connection()
            for data: [UInt8] in [[], [0x01, 0x02, 0x03, 0x04]] {
                let request = ControlRequest(requestType: 0x40, request: 0x02, value: 7, index: 0, data: data)
                _ = try await transport.control(request, until: session.deadline())
            }
        },
        NamedCheck("control-stall", .control) { session in
            let transport = try await session.connection()
            let request = ControlRequest(requestType: 0xC0, request: 0x7F, value: 0, index: 0, expectedLength: 8)
            try await expectError(.stalled, "unknown vendor request") {
                _ = try await transport.control(request, until: session.deadline())
            }
            // A protocol stall is over with the next request (USB 2.0, 8.5.3.4).
            let accepted = ControlRequest(requestType: 0x40, request: 0x02, value: 0, index: 0)
            _ = try await transport.control(accepted, until: session.deadline())
        },
    ]
}
