import Discovery
import ReaderWire
import Synchronization
public import Transport
import USB
import USBDescriptors

/// The readers on the USB bus, by udev, opened through libusb. The libusb context is made when the first reader is opened.
public final class USBReaderSource: ReaderSource {
    private let clock: any MonotonicClock
    private let state = Mutex(State())

    private struct State {
        var context: USBContext?
        var monitor: DeviceMonitor?
    }

    public init(clock: any MonotonicClock = SystemMonotonicClock.shared) {
        self.clock = clock
    }

    public func scan() async throws(ReaderError) -> [FoundReader] {
        let present = try Self.present()
        return present.filter(Self.isReader).map { Self.found($0, among: present) }.sorted { $0.id < $1.id }
    }

    public func open(_ reader: FoundReader, until deadline: Deadline) async throws(ReaderError) -> any ChipReader {
        let operation = "opening the reader"
        guard let device = try Self.present().first(where: { $0.portPath == reader.port }) else {
            throw ReaderError(.gone, during: operation)
        }
        guard let part = CCIDPart(device) else {
            throw ReaderError(.unsupported, during: operation, detail: "it has no usable CCID class descriptor")
        }
        let connection: USBConnection
        do throws(TransportError) {
            connection = try await context().open(
                USBDeviceAddress(bus: device.busNumber, device: device.deviceNumber),
                interface: .number(part.interfaceNumber), until: deadline)
        } catch {
            throw ReaderError(error, during: operation)
        }
        return try await CCIDReader.open(
            connection, descriptor: part.descriptor, interfaceNumber: part.interfaceNumber, model: reader.model,
            catalogueModel: ReaderCatalogue.model(vendorId: device.vendorId, productId: device.productId),
            clock: clock, until: deadline)
    }

    public func inspect(_ reader: FoundReader) async -> ReaderInspection {
        Self.inspector(of: reader)?.inspect() ?? ReaderInspection()
    }

    public func holder(of reader: FoundReader) async -> String? {
        Self.inspector(of: reader)?.holder()
    }

    private static func inspector(of reader: FoundReader) -> USBReaderInspector? {
        guard let present = try? present(), let device = present.first(where: { $0.portPath == reader.port }) else {
            return nil
        }
        return USBReaderInspector(device: device, present: present)
    }

    public func changes() async throws(ReaderError) -> AsyncStream<Void> {
        let monitor: DeviceMonitor
        do throws(DiscoveryError) {
            monitor = try await DeviceMonitor.start()
        } catch {
            throw ReaderError(.linkFailed, during: "watching the USB bus", detail: "\(error)")
        }
        let earlier = state.withLock { state in
            defer { state.monitor = monitor }
            return state.monitor
        }
        await earlier?.close()
        let events = monitor.events()
        // Only the newest change matters: the consumer scans again anyway.
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let forwarding = Task {
            for await _ in events { continuation.yield() }
            continuation.finish()
        }
        continuation.onTermination = { _ in forwarding.cancel() }
        return stream
    }

    public func close() async {
        let (context, monitor) = state.withLock { state in
            defer { state = State() }
            return (state.context, state.monitor)
        }
        await monitor?.close()
        await context?.shutdown()
    }

    private func context() -> USBContext {
        state.withLock { state in
            if let context = state.context { return context }
            let context = USBContext()
            state.context = context
            return context
        }
    }

    private static func present() throws(ReaderError) -> [DiscoveredDevice] {
        do throws(DiscoveryError) {
            return try DeviceMonitor.scan()
        } catch {
            throw ReaderError(.linkFailed, during: "looking for readers", detail: "\(error)")
        }
    }

    private static func isReader(_ device: DiscoveredDevice) -> Bool {
        guard !device.isIgnored else { return false }
        return device.interfaces.contains { $0.interfaceClass == ReaderCatalogue.ccidInterfaceClass }
            || ReaderCatalogue.model(vendorId: device.vendorId, productId: device.productId) != nil
    }

    private static func found(_ device: DiscoveredDevice, among present: [DiscoveredDevice]) -> FoundReader {
        let known = ReaderCatalogue.model(vendorId: device.vendorId, productId: device.productId)
        let own = [device.manufacturer, device.product].compactMap { $0 }.joined(separator: " ")
        return FoundReader(
            id: "\(DeviceIdentity(of: device, among: present))", family: known?.family ?? .ccid,
            model: own.isEmpty ? (known?.name ?? "CCID reader") : own, vendorId: device.vendorId,
            productId: device.productId, serial: device.serial, link: .usb, port: device.portPath, node: device.node)
    }
}

/// The CCID interface of a device: its number and class descriptor.
struct CCIDPart {
    let interfaceNumber: UInt8
    let descriptor: CCIDClassDescriptor
    /// bcdDevice.
    let release: UInt16
    let hasInterruptPipe: Bool

    /// Nil when there is no interface of class 0B (or FF, for ids of the catalogue) with a class descriptor.
    init?(_ device: DiscoveredDevice) {
        guard let set = try? device.parsedDescriptors(), let configuration = set.configurations.first else {
            return nil
        }
        let isKnown = ReaderCatalogue.model(vendorId: device.vendorId, productId: device.productId) != nil
        for interface in configuration.interfaces where interface.alternateSetting == 0 {
            guard
                interface.interfaceClass == ReaderCatalogue.ccidInterfaceClass
                    || (isKnown && interface.interfaceClass == 0xFF)
            else { continue }
            if let bytes = interface.classDescriptor(type: CCIDClassDescriptor.descriptorType),
                let descriptor = CCIDClassDescriptor(parsing: bytes)
            {
                interfaceNumber = interface.number
                self.descriptor = descriptor
                release = set.device.release
                hasInterruptPipe = interface.endpoint(.interrupt, isIn: true) != nil
                return
            }
        }
        return nil
    }
}
