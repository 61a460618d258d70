import Discovery
import Transport

/// The USB bus as the readers at serial chips need it.
protocol ChipBus: Sendable {
    func present() throws(ReaderError) -> (devices: [DiscoveredDevice], ttys: [DiscoveredTTY])

    func open(
        _ line: USBLine, _ settings: SerialSettings, takesFromKernel: Bool, until deadline: Deadline
    ) async throws(TransportError) -> any SerialLine

    func close() async
}

extension USBLineOpener: ChipBus {
    func present() throws(ReaderError) -> (devices: [DiscoveredDevice], ttys: [DiscoveredTTY]) {
        do throws(DiscoveryError) {
            return (try DeviceMonitor.scan(), try TTYMonitor.scan())
        } catch {
            throw ReaderError(.linkFailed, during: "looking for serial chips", detail: "\(error)")
        }
    }
}
