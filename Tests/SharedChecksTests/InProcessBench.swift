import FirmwareCores
import InProcessMock
import SharedChecks
import Synchronization
import Transport

/// Rung 1: the reference core in this process. There is no bus, so what is plugged in is what the device says, and each
/// stay on the bus counts as a device number.
final class InProcessBench: Bench {
    let rung = Rung.inProcess
    let clock: any MonotonicClock = SystemMonotonicClock.shared
    private let device: InProcessDevice
    private let plugs = Mutex((number: 1, wasPlugged: true))

    init() {
        device = InProcessDevice(core: ReferenceCore(), clock: SystemMonotonicClock.shared)
    }

    func start() async throws {}

    func scan() async throws -> [BenchDevice] { try await present() }

    func present() async throws -> [BenchDevice] { listed() }

    func present(
        until deadline: Deadline, where condition: @escaping @Sendable ([BenchDevice]) -> Bool
    ) async throws -> [BenchDevice]? {
        while true {
            let present = listed()
            if condition(present) { return present }
            guard await device.wait(plugged: present.isEmpty, until: deadline) else { return nil }
        }
    }

    func open(
        _ device: BenchDevice, detachingDriver: Bool, until deadline: Deadline
    ) async throws(TransportError) -> any Transport {
        self.device.open()
    }

    func steer(_ command: String, at device: BenchDevice) async throws {
        if let complaint = self.device.steer(command) { throw CheckFailure(complaint) }
    }

    func processorTime() -> Duration? { nil }

    func openDescriptors() -> Int? { nil }

    func residentMemory() -> Int? { nil }

    func finish() async {}

    private func listed() -> [BenchDevice] {
        let isPlugged = device.isPlugged
        let number = plugs.withLock { plugs in
            if isPlugged, !plugs.wasPlugged { plugs.number += 1 }
            plugs.wasPlugged = isPlugged
            return plugs.number
        }
        guard isPlugged else { return [] }
        let descriptors = device.descriptors
        return [
            BenchDevice(
                portPath: "mock:1", deviceNumber: number, vendorId: descriptors.vendorId,
                productId: descriptors.productId, serial: descriptors.strings.last,
                descriptors: descriptors.device + descriptors.configuration)
        ]
    }
}
