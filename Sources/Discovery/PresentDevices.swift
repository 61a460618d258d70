/// The devices that are plugged in, keyed by sysfs path, and the events that a change makes. Pure bookkeeping.
struct PresentDevices<Device: Discoverable>: Sendable {
    private var devices: [String: Device] = [:]

    /// In the order of their sysfs paths.
    var all: [Device] {
        devices.values.sorted { $0.syspath < $1.syspath }
    }

    /// A device was added, or seen again with other properties.
    mutating func put(_ device: Device) -> [PlugEvent<Device>] {
        defer { devices[device.syspath] = device }
        guard let known = devices[device.syspath] else { return [.arrived(device)] }
        // Plugged in anew at the same place: the departure between was missed.
        guard !known.isSamePlug(as: device) else { return [] }
        return [.departed(known), .arrived(device)]
    }

    /// The device at `syspath` left; needs nothing but what is known from its arrival.
    mutating func remove(_ syspath: String) -> [PlugEvent<Device>] {
        devices.removeValue(forKey: syspath).map { [.departed($0)] } ?? []
    }

    /// The whole truth was read again.
    mutating func replace(with scanned: [Device]) -> [PlugEvent<Device>] {
        let paths = Set(scanned.map(\.syspath))
        let lost = all.filter { !paths.contains($0.syspath) }.flatMap { remove($0.syspath) }
        return lost + scanned.flatMap { put($0) }
    }
}
