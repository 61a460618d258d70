import Discovery
import Synchronization

/// Tells when something on the USB bus comes or goes, to one listener at a time.
final class USBBusWatch: Sendable {
    private let monitor = Mutex<DeviceMonitor?>(nil)

    func changes() async throws(ReaderError) -> AsyncStream<Void> {
        let started: DeviceMonitor
        do throws(DiscoveryError) {
            started = try await DeviceMonitor.start()
        } catch {
            throw ReaderError(.linkFailed, during: "watching the USB bus", detail: "\(error)")
        }
        await replace(by: started)
        return AsyncStream(after: started.events())
    }

    func close() async { await replace(by: nil) }

    private func replace(by next: DeviceMonitor?) async {
        let earlier = monitor.withLock { monitor in
            defer { monitor = next }
            return monitor
        }
        await earlier?.close()
    }
}
