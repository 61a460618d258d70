import Discovery
import Glibc
import SharedChecks
import Synchronization
import Transport
import USB

/// The bench of rungs 2 and 3: whatever libusb and libudev find here.
final class HardwareBench: Bench {
    let rung: Rung
    private let context = USBContext()
    private let monitor = Mutex<DeviceMonitor?>(nil)

    private let control: String?

    /// `control`: the path of fwmockd's control socket, if faults may be steered.
    init(rung: Rung, control: String?) {
        self.rung = rung
        self.control = control
    }

    var clock: any MonotonicClock { SystemMonotonicClock.shared }

    func start() async throws {
        try context.checkStarted()
        let started = try await DeviceMonitor.start()
        monitor.withLock { $0 = started }
    }

    func scan() async throws -> [BenchDevice] {
        try DeviceMonitor.scan().map(BenchDevice.init)
    }

    func present() async throws -> [BenchDevice] {
        try startedMonitor().snapshot().map(BenchDevice.init)
    }

    func present(
        until deadline: Deadline, where condition: @escaping @Sendable ([BenchDevice]) -> Bool
    ) async throws -> [BenchDevice]? {
        let (monitor, clock) = (try startedMonitor(), clock)
        // Both sides end when cancelled, so whichever is first ends the other.
        return await withTaskGroup(of: [BenchDevice]?.self) { group in
            group.addTask {
                let events = monitor.events()
                let present = monitor.snapshot().map(BenchDevice.init)
                if condition(present) { return present }
                for await _ in events {
                    let present = monitor.snapshot().map(BenchDevice.init)
                    if condition(present) { return present }
                }
                return nil
            }
            group.addTask {
                await clock.sleep(until: deadline.instant)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }

    func open(
        _ device: BenchDevice, detachingDriver: Bool, until deadline: Deadline
    ) async throws(TransportError) -> any Transport {
        let present: [DiscoveredDevice]
        do {
            present = try startedMonitor().snapshot()
        } catch {
            throw TransportError(.failed, during: "open", underlying: "\(error)")
        }
        guard let found = present.first(where: { BenchDevice($0) == device }) else {
            throw TransportError(.gone, during: "open", underlying: "no longer listed")
        }
        return try await context.open(
            USBDeviceAddress(bus: found.busNumber, device: found.deviceNumber),
            options: USBOpenOptions(detachesKernelDriver: detachingDriver), until: deadline)
    }

    func steer(_ command: String, at device: BenchDevice) async throws {
        guard let control else { throw CheckSkip("nothing to steer with: no --control") }
        let port = device.portPath.drop { $0 != ":" }.dropFirst()
        try ControlLine.send("\(port) \(command)", to: control)
    }

    func processorTime() -> Duration? {
        var usage = rusage()
        guard getrusage(RUSAGE_SELF.rawValue, &usage) == 0 else { return nil }
        return [usage.ru_utime, usage.ru_stime].map { .seconds($0.tv_sec) + .microseconds($0.tv_usec) }
            .reduce(.zero, +)
    }

    func openDescriptors() -> Int? {
        guard let directory = opendir("/proc/self/fd") else { return nil }
        defer { closedir(directory) }
        var count = 0
        while readdir(directory) != nil { count += 1 }
        return count
    }

    func residentMemory() -> Int? {
        guard let file = fopen("/proc/self/statm", "r") else { return nil }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        guard fgets(&line, Int32(line.count), file) != nil else { return nil }
        let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let fields = text.split(separator: " ")
        guard fields.count >= 2, let pages = Int(fields[1]) else { return nil }
        return pages * Int(getpagesize())
    }

    func finish() async {
        await context.shutdown()
        let running = monitor.withLock { monitor in
            defer { monitor = nil }
            return monitor
        }
        await running?.close()
    }

    private func startedMonitor() throws -> DeviceMonitor {
        guard let monitor = monitor.withLock({ $0 }) else { throw CheckFailure("the monitor is not running") }
        return monitor
    }
}

extension BenchDevice {
    init(_ device: DiscoveredDevice) {
        self.init(
            portPath: device.portPath, deviceNumber: Int(device.deviceNumber), vendorId: device.vendorId,
            productId: device.productId, serial: device.serial, descriptors: device.descriptors)
    }
}
