public import Transport

/// What the checks of one run share: the bench, the reference reader and the connection to it.
public actor CheckSession {
    public static let referenceVendor: UInt16 = 0x1209
    public static let referenceProduct: UInt16 = 0x0001

    public nonisolated let bench: any Bench
    private var hasStarted = false
    /// The port of the reader that all checks use, once it is known: there may be a twin.
    private var port: String?
    private var current: (device: BenchDevice, transport: any Transport)?
    /// The device that has left, with the connection to it still open.
    private var departed: (device: BenchDevice, transport: any Transport)?

    public init(bench: any Bench) {
        self.bench = bench
    }

    public nonisolated func deadline(_ duration: Duration = .seconds(2)) -> Deadline {
        .after(duration, on: bench.clock)
    }

    public func start() async throws {
        guard !hasStarted else { return }
        try await bench.start()
        hasStarted = true
    }

    public func finish() async {
        await disconnect()
        await bench.finish()
    }

    /// The reference reader, waiting for it if it is about to come back.
    public func device() async throws -> BenchDevice {
        try await start()
        let port = port
        let isOurs: @Sendable (BenchDevice) -> Bool = { Self.isReference($0) && port ?? $0.portPath == $0.portPath }
        let found = try await bench.present(until: deadline(.seconds(3))) { $0.contains(where: isOurs) }
        guard let device = found?.first(where: isOurs) else { throw CheckFailure("no reference reader present") }
        self.port = device.portPath
        return device
    }

    /// The connection to the reference reader, opened if need be. No reply of an earlier check is left in it.
    public func connection() async throws -> any Transport {
        if let current { return current.transport }
        let device = try await device()
        let transport = try await bench.open(device, until: deadline(.seconds(3)))
        current = (device, transport)
        return transport
    }

    public func disconnect() async {
        let open = [current?.transport, departed?.transport]
        current = nil
        departed = nil
        for transport in open { await transport?.close() }
    }

    /// Closes and opens again: for checks that leave data or a halt behind.
    public func freshConnection() async throws -> any Transport {
        await disconnect()
        return try await connection()
    }

    /// Sends the reader away (it comes back by itself) with a receive in flight. Returns how that receive ended.
    public func sendAway() async throws -> Result<[UInt8], TransportError> {
        let transport = try await connection()
        async let reply: Result<[UInt8], TransportError> = Self.receive(transport, until: deadline(.seconds(3)))
        try await transport.send([0x06], until: deadline())
        let outcome = await reply
        departed = current
        current = nil
        return outcome
    }

    /// The device that left, sending it away first if none has.
    public func departedDevice() async throws -> (device: BenchDevice, transport: any Transport) {
        if departed == nil { _ = try await sendAway() }
        guard let departed else { throw CheckFailure("the reader did not leave") }
        return departed
    }

    /// Waits until the device that left is no longer listed.
    public func awaitDeparture() async throws {
        let gone = try await departedDevice().device
        let isAway = try await bench.present(until: deadline(.seconds(3))) { present in
            !present.contains { $0.portPath == gone.portPath && $0.deviceNumber == gone.deviceNumber }
        }
        try expect(isAway != nil, "the departure was not noticed")
    }

    /// Waits until the device that left is back under a new number, and closes the old connection.
    public func awaitReturn() async throws -> BenchDevice {
        let gone = try await departedDevice()
        let isBack: @Sendable (BenchDevice) -> Bool = { device in
            Self.isReference(device) && device.portPath == gone.device.portPath
                && device.deviceNumber != gone.device.deviceNumber
        }
        let present = try await bench.present(until: deadline(.seconds(3))) { $0.contains(where: isBack) }
        guard let device = present?.first(where: isBack) else { throw CheckFailure("the reader did not come back") }
        await gone.transport.close()
        departed = nil
        return device
    }

    /// For checks after a return that run alone: leave and come back first, unless that has just happened.
    public func hasReturned() async throws {
        if departed != nil { _ = try await awaitReturn() }
    }

    public static func isReference(_ device: BenchDevice) -> Bool {
        device.vendorId == referenceVendor && device.productId == referenceProduct
    }

    static func receive(
        _ transport: any Transport, atMost count: Int = 512, until deadline: Deadline
    ) async -> Result<[UInt8], TransportError> {
        do throws(TransportError) {
            return .success(try await transport.receive(atMost: count, until: deadline))
        } catch {
            return .failure(error)
        }
    }
}
