import Discovery
import FirmwareCores
import InProcessMock
import Synchronization
import Testing
import Transport
import USBDescriptors
import USBSerial

@testable import Readers

/// A USB bus in this process, with serial chips of firmware on it.
final class ChipBench: ChipBus {
    struct Plugged: Sendable {
        let device: InProcessDevice
        var tty: DiscoveredTTY?
        /// A driver of the kernel that has the chip.
        var driver: String?
    }

    private let plugged: Mutex<[Plugged]>
    private let taken = Mutex<[Bool]>([])

    /// At the ports 1-1, 1-2 and so on.
    init(_ plugged: [Plugged]) {
        self.plugged = Mutex(plugged)
    }

    /// One chip with a reader at it.
    convenience init(
        _ circuit: any ChipCircuit, _ firmware: sending any SerialFirmware, speed: Int? = nil, driver: String? = nil
    ) {
        self.init([
            Plugged(
                device: InProcessDevice(
                    core: USBSerialCore(circuit, firmware: firmware, deviceSpeed: speed),
                    clock: SystemMonotonicClock.shared), driver: driver)
        ])
    }

    /// Whether each of the opens was allowed to take the chip from the kernel.
    var takings: [Bool] { taken.withLock { $0 } }
    var first: InProcessDevice? { plugged.withLock { $0.first?.device } }

    /// What is plugged in, as udev would tell it.
    func present() throws(ReaderError) -> (devices: [DiscoveredDevice], ttys: [DiscoveredTTY]) {
        let plugged = plugged.withLock { $0 }
        let devices = plugged.enumerated().filter(\.element.device.isPlugged).compactMap { place, plugged in
            Self.describe(plugged, at: place + 1)
        }
        return (devices, plugged.compactMap(\.tty))
    }

    func open(
        _ line: USBLine, _ settings: SerialSettings, takesFromKernel: Bool, until deadline: Deadline
    ) async throws(TransportError) -> any SerialLine {
        taken.withLock { $0.append(takesFromKernel) }
        let plugged = plugged.withLock { $0[Int(line.device.deviceNumber) - 1] }
        guard plugged.driver == nil || takesFromKernel else { throw TransportError(.busy, during: "open") }
        return try await USBSerialPort.open(
            plugged.device.open(), as: line.function.chip, settings, until: deadline)
    }

    func close() async {}

    static func describe(_ plugged: Plugged, at place: Int) -> DiscoveredDevice? {
        let descriptors = plugged.device.descriptors
        let bytes = descriptors.device + descriptors.configuration
        guard let set = try? DescriptorSet(parsing: bytes), let configuration = set.configurations.first else {
            return nil
        }
        return DiscoveredDevice(
            syspath: "/sys/usb/1-\(place)", sysname: "1-\(place)", busNumber: 1, deviceNumber: UInt8(place),
            node: "/dev/bus/usb/001/00\(place)", vendorId: set.device.vendorId, productId: set.device.productId,
            manufacturer: descriptors.strings[0], product: descriptors.strings[1], serial: descriptors.strings[2],
            interfaces: configuration.interfaces.map {
                DiscoveredDevice.Interface(
                    number: $0.number, interfaceClass: $0.interfaceClass, subclass: $0.subclass,
                    interfaceProtocol: $0.interfaceProtocol, driver: plugged.driver)
            }, descriptors: bytes)
    }

    static func tty(_ name: String, at port: String, interface: UInt8 = 0) -> DiscoveredTTY {
        DiscoveredTTY(
            syspath: "/sys/usb/\(port)/\(name)", sysname: name, node: "/dev/" + name, driver: "cp210x",
            usb: DiscoveredTTY.USBParent(
                syspath: "/sys/usb/" + port, sysname: port, deviceNumber: 1, vendorId: 0x10C4, productId: 0xEA60,
                serial: "0001", interface: interface))
    }

    func source(
        _ configured: [ConfiguredUSBLine] = [], isIntrusive: Bool = false
    ) -> ChipReaderSource {
        ChipReaderSource(
            configured: configured, isIntrusive: isIntrusive, clock: SystemMonotonicClock.shared, bus: self)
    }

    static func named(
        _ name: String, _ family: ReaderFamily, baud: BaudRate = .b115200, isDirect: Bool = false
    ) throws -> ConfiguredUSBLine {
        ConfiguredUSBLine(try #require(USBLineName(name)), family: family, baud: baud, isDirect: isDirect)
    }
}

extension Deadline {
    static var soon: Deadline { .after(.seconds(30), on: SystemMonotonicClock.shared) }
}
