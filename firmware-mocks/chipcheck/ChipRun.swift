import Discovery
import Transport
import USB
import USBSerial

/// The steps of one run.
struct ChipRun {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    let context: USBContext
    private(set) var hasFailed = false

    private let clock = SystemMonotonicClock.shared
    private let settings = SerialSettings(baud: .b115200)

    init(context: USBContext) {
        self.context = context
    }

    private var soon: Deadline { .after(.seconds(10), on: clock) }

    mutating func steps(isHeld: Bool, leaves: Bool) async {
        guard let address = await step("find", find) else { return }
        let (context, settings, soon) = (context, settings, soon)
        if isHeld { await expectHeld(address) }
        let opened = await step("open") {
            try await context.openSerialPort(address, settings, until: soon)
        }
        guard let port = opened else { return }
        ChipCheck.say("chip \(port.chipName)")
        await step("echo") { try await Self.echo(100, on: port, until: soon) }
        await step("echo-64k") { try await Self.echo(65_536, on: port, until: soon) }
        await step("speed") {
            let kept = try await port.configure(SerialSettings(baud: .b9600, parity: .even), until: soon)
            guard abs(Int(kept.baud.bitsPerSecond) - 9600) * 100 <= 3 * 9600, kept.parity == .even else {
                throw Failure(description: "kept \(kept)")
            }
            try await Self.echo(10, on: port, until: soon)
        }
        await step("lines") {
            try await port.set(raised: [], lowered: .rts, until: soon)
            guard try await port.modemLines(until: soon).outputs == .dtr else { throw Failure(description: "outputs") }
            // The plug leads DTR back; a notification takes its time.
            while try await port.modemLines(until: soon).inputs.isDisjoint(with: [.dsr, .dcd]) { await Task.yield() }
            try await port.setBreak(true, until: soon)
            try await port.setBreak(false, until: soon)
        }
        await step("time-out") {
            try await Self.expect(.timedOut) {
                _ = try await port.receive(atMost: 1, until: .after(.milliseconds(50), on: SystemMonotonicClock.shared))
            }
        }
        if leaves { await leave(port) }
        await step("close") { await port.close() }
        if isHeld { await expectHeld(address) }
        if !isHeld, !leaves {
            await step("open-again") {
                let port = try await context.openSerialPort(address, settings, until: soon)
                try await Self.echo(3, on: port, until: soon)
                await port.close()
            }
        }
    }

    private func find() async throws -> USBDeviceAddress {
        for device in try DeviceMonitor.scan() {
            let address = USBDeviceAddress(bus: device.busNumber, device: device.deviceNumber)
            let description = try await context.describe(address, until: soon)
            if !USBSerialFunction.all(in: description.device, description.configuration).isEmpty { return address }
        }
        throw Failure(description: "no USB-serial chip present")
    }

    /// Unasked, nothing is taken from a driver.
    private mutating func expectHeld(_ address: USBDeviceAddress) async {
        let (context, settings, soon) = (context, settings, soon)
        await step("held") {
            try await Self.expect(.busy) {
                let options = USBSerialOptions(detachesKernelDriver: false)
                await (try context.openSerialPort(address, settings, options: options, until: soon)).close()
            }
        }
    }

    private mutating func leave(_ port: USBSerialPort) async {
        let soon = soon
        await step("gone") {
            // A receive is under way when it leaves.
            async let waiting: Void = Self.expect(.gone) { _ = try await port.receive(atMost: 1, until: soon) }
            // Whether the byte itself arrives is not told.
            try? await port.send([0], until: soon)
            try await waiting
            try await Self.expect(.gone) { try await port.send([1], until: soon) }
        }
    }

    @discardableResult
    private mutating func step<Value>(_ name: String, _ body: () async throws -> Value) async -> Value? {
        do {
            let value = try await body()
            ChipCheck.say("ok \(name)")
            return value
        } catch {
            hasFailed = true
            ChipCheck.say("FAIL \(name) \(error)")
            return nil
        }
    }

    private static func echo(_ count: Int, on port: USBSerialPort, until deadline: Deadline) async throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
        async let sent: Void = port.send(bytes, until: deadline)
        let back = try await port.receive(exactly: count, until: deadline)
        try await sent
        guard back == bytes else { throw Failure(description: "\(count) bytes came back changed") }
    }

    private static func expect(_ code: TransportError.Code, _ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch let error as TransportError {
            guard error.code == code else { throw error }
            return
        }
        throw Failure(description: "it succeeded")
    }
}
