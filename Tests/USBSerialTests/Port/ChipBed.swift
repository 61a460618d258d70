import FirmwareCores
import InProcessMock
import Testing
import Transport
import USBDescriptors
import USBSerial

/// The chips that every test of a port goes through.
enum Bench: String, CaseIterable, Sendable {
    case cdc, ft232r, ft2232h, cp2102, ch340, pl2303, oldestPL2303, pl2303hxn

    var circuit: any ChipCircuit {
        switch self {
        case .cdc: CDCACMCircuit()
        case .ft232r: FTDICircuit(.ft232r)
        case .ft2232h: FTDICircuit(.ft2232h)
        case .cp2102: CP210xCircuit()
        case .ch340: CH34xCircuit()
        case .pl2303: PL2303Circuit(.classic)
        case .oldestPL2303: PL2303Circuit(.oldest)
        case .pl2303hxn: PL2303Circuit(.hxn)
        }
    }

    var hasFlowControl: Bool { self != .cdc && self != .ch340 }
}

/// A chip of firmware with an echo behind it, and a port opened on it.
struct ChipBed {
    let device: InProcessDevice
    let port: USBSerialPort

    static func device(_ bench: Bench) -> InProcessDevice {
        InProcessDevice(
            core: USBSerialCore(bench.circuit, firmware: EchoFirmware()), clock: SystemMonotonicClock.shared)
    }

    static func open(
        _ device: InProcessDevice, _ settings: SerialSettings = settings(115_200), hangsUpOnClose: Bool = true
    ) async throws -> USBSerialPort {
        let descriptors = device.descriptors
        let function = try #require(
            USBSerialFunction.all(
                in: try DeviceDescriptor(parsing: descriptors.device),
                try ConfigurationDescriptor(parsing: descriptors.configuration)
            ).first)
        return try await USBSerialPort.open(
            device.open(), as: function.chip, settings, hangsUpOnClose: hangsUpOnClose, until: soon)
    }

    static func with(
        _ bench: Bench, _ settings: SerialSettings = settings(115_200), _ body: (ChipBed) async throws -> Void
    ) async throws {
        let device = device(bench)
        let port = try await open(device, settings)
        do {
            try await body(ChipBed(device: device, port: port))
        } catch {
            await port.close()
            throw error
        }
        await port.close()
    }

    /// Why draining failed; nil when it did not. A function of its own, since Swift 6.3.1 crashes when it optimises a closure
    /// that drains several times.
    @inline(never)
    func drainFailure(until deadline: Deadline) async -> TransportError.Code? {
        do throws(TransportError) {
            try await port.drain(until: deadline)
            return nil
        } catch {
            return error.code
        }
    }

    /// The line as the device behind the chip sees it.
    var line: ChipLine { Self.line(of: device) }

    static func line(of device: InProcessDevice) -> ChipLine {
        device.withCore { ($0 as? USBSerialCore)?.line ?? ChipLine() }
    }

    func steer(_ command: String) { #expect(device.steer(command) == nil) }

    /// Sends bytes and receives them back.
    func echo(_ bytes: [UInt8]) async throws {
        try await port.send(bytes, until: soon)
        #expect(try await port.receive(exactly: bytes.count, until: soon) == bytes)
    }
}

/// A limit for what should be done at once: generous, since it only matters when something hangs.
var soon: Deadline { .after(.seconds(30), on: SystemMonotonicClock.shared) }

func after(_ milliseconds: Int) -> Deadline {
    .after(.milliseconds(milliseconds), on: SystemMonotonicClock.shared)
}

/// The error that a call ends with, nil for none.
func failure<Value>(_ call: () async throws -> Value) async -> TransportError? {
    do {
        _ = try await call()
    } catch let error as TransportError {
        return error
    } catch {
        Issue.record(error)
    }
    return nil
}
