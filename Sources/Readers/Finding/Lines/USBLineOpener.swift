import Discovery
import Synchronization
public import Transport
import USB
import USBSerial

/// Opens serial lines of USB devices through libusb. Its context is made when the first one is opened.
public final class USBLineOpener: Sendable {
    private let context = Mutex<USBContext?>(nil)

    public init() {}

    /// - Parameter takesFromKernel: a driver of the kernel that has the line is detached, and attached again at the close.
    ///   When false, such a line is `.busy`.
    public func open(
        _ line: USBLine, _ settings: SerialSettings, takesFromKernel: Bool, until deadline: Deadline
    ) async throws(TransportError) -> any SerialLine {
        let context = context.withLock { context in
            if let context { return context }
            let made = USBContext()
            context = made
            return made
        }
        return try await context.openSerialPort(
            USBDeviceAddress(bus: line.device.busNumber, device: line.device.deviceNumber), line.function, settings,
            options: USBSerialOptions(detachesKernelDriver: takesFromKernel), until: deadline)
    }

    /// Frees libusb. Lines are closed before.
    public func close() async {
        let context = context.withLock { context in
            defer { context = nil }
            return context
        }
        await context?.shutdown()
    }
}
