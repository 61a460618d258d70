import Discovery
import Synchronization
public import Transport
import USB

/// The readers on the USB bus, by udev, opened through libusb. The libusb context is made when the first reader is opened.
public final class USBReaderSource: ReaderSource {
    private let clock: any MonotonicClock
    private let watch = USBBusWatch()
    private let context = Mutex<USBContext?>(nil)

    public init(clock: any MonotonicClock = SystemMonotonicClock.shared) {
        self.clock = clock
    }

    public func scan() async throws(ReaderError) -> [FoundReader] {
        let present = try Self.present()
        return present.filter(Self.isReader).map { Self.found($0, among: present) }.sorted { $0.id < $1.id }
    }

    public func open(_ reader: FoundReader, until deadline: Deadline) async throws(ReaderError) -> OpenedReader {
        guard let device = try Self.present().first(where: { $0.portPath == reader.port }) else {
            throw ReaderError(.gone, during: Self.opening)
        }
        let model = ReaderCatalogue.model(vendorId: device.vendorId, productId: device.productId)
        if let part = NEO2Part(device) {
            return .kernel(try await openNEO2(device, part, model, reader, until: deadline))
        }
        guard let part = CCIDPart(device) else {
            let missing = model?.family == .neo2 ? "HID interface" : "usable CCID class descriptor"
            throw ReaderError(.unsupported, during: Self.opening, detail: "it has no \(missing)")
        }
        let connection = try await connect(device, part.interfaceNumber, until: deadline)
        let opened = try await CCIDReader.open(
            connection, descriptor: part.descriptor, interfaceNumber: part.interfaceNumber, model: reader.model,
            catalogueModel: model, clock: clock, until: deadline)
        return .channel(opened)
    }

    /// A device of the vendor whose model is not in the catalogue is a reader only if it answers a ping.
    private func openNEO2(
        _ device: DiscoveredDevice, _ part: NEO2Part, _ model: ReaderModel?, _ reader: FoundReader,
        until deadline: Deadline
    ) async throws(ReaderError) -> NEO2Reader {
        let connection = try await connect(device, part.interfaceNumber, until: deadline)
        do throws(ReaderError) {
            return try await NEO2Reader.open(
                connection, form: .hid, model: reader.model, interfaces: part.interfaces, clock: clock, until: deadline)
        } catch {
            guard model == nil, error.code == .silent else { throw error }
            throw ReaderError(.unsupported, during: Self.opening, detail: "it does not answer a NEO2 ping")
        }
    }

    private static let opening = "opening the reader"

    private func connect(
        _ device: DiscoveredDevice, _ interfaceNumber: UInt8, until deadline: Deadline
    ) async throws(ReaderError) -> USBConnection {
        do throws(TransportError) {
            return try await makeContext().open(
                USBDeviceAddress(bus: device.busNumber, device: device.deviceNumber),
                interface: .number(interfaceNumber), until: deadline)
        } catch {
            throw ReaderError(error, during: Self.opening)
        }
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

    public func changes() async throws(ReaderError) -> AsyncStream<Void> { try await watch.changes() }

    public func close() async {
        let context = context.withLock { context in
            defer { context = nil }
            return context
        }
        await watch.close()
        await context?.shutdown()
    }

    private func makeContext() -> USBContext {
        context.withLock { context in
            if let context { return context }
            let made = USBContext()
            context = made
            return made
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
            || NEO2Part(device) != nil
    }

    private static func found(_ device: DiscoveredDevice, among present: [DiscoveredDevice]) -> FoundReader {
        let known = ReaderCatalogue.model(vendorId: device.vendorId, productId: device.productId)
        let family = known?.family ?? (NEO2Part(device) == nil ? .ccid : .neo2)
        let own = [device.manufacturer, device.product].compactMap { $0 }.joined(separator: " ")
        return FoundReader(
            id: "\(DeviceIdentity(of: device, among: present))", family: family,
            model: own.isEmpty ? (known?.name ?? (family == .neo2 ? "ID TECH reader" : "CCID reader")) : own,
            vendorId: device.vendorId,
            productId: device.productId, serial: device.serial, link: .usb, port: device.portPath, node: device.node)
    }
}
