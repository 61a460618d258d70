/// The devices that are plugged in, keyed by sysfs path, and the events that a change makes. Pure bookkeeping.
struct PresentDevices: Sendable {
    private var devices: [String: DiscoveredDevice] = [:]

    /// In the order of their sysfs paths.
    var all: [DiscoveredDevice] {
        devices.values.sorted { $0.syspath < $1.syspath }
    }

    /// A device was added, or seen again with other properties.
    mutating func put(_ device: DiscoveredDevice) -> [DiscoveryEvent] {
        defer { devices[device.syspath] = device }
        guard let known = devices[device.syspath] else { return [.arrived(device)] }
        // Another device number on the same port: the departure between was missed.
        guard known.deviceNumber != device.deviceNumber || known.busNumber != device.busNumber else { return [] }
        return [.departed(known), .arrived(device)]
    }

    /// The device at `syspath` left; needs nothing but what is known from its arrival.
    mutating func remove(_ syspath: String) -> [DiscoveryEvent] {
        devices.removeValue(forKey: syspath).map { [.departed($0)] } ?? []
    }

    /// The whole truth was read again.
    mutating func replace(with scanned: [DiscoveredDevice]) -> [DiscoveryEvent] {
        let paths = Set(scanned.map(\.syspath))
        let lost = all.filter { !paths.contains($0.syspath) }.flatMap { remove($0.syspath) }
        return lost + scanned.flatMap { put($0) }
    }
}
