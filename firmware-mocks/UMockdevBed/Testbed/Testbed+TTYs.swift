extension Testbed {
    /// The node, then the interface's driver and the tty in sysfs, and last the link by which an enumeration finds it.
    func add(_ tty: TTYRecord, of device: DeviceRecord) throws(MockBusError) {
        let path = tty.sysPath(of: device.address)
        try link("dev/\(tty.name)", to: tty.target)
        try link("dev/.node/\(tty.name)", to: "\(TTYRecord.major):\(tty.minor)")
        let upwards = String(repeating: "../", count: path.split(separator: "/").count)
        try makeDirectory("sys/bus/usb/drivers/\(tty.driver)")
        try makeDirectory("sys/\(path)")
        try link("sys/\(tty.interfacePath(of: device.address))/driver", to: "\(upwards)bus/usb/drivers/\(tty.driver)")
        try link("sys/\(path)/subsystem", to: "\(upwards)class/tty")
        try write("\(TTYRecord.major):\(tty.minor)", to: "sys/\(path)/dev")
        let properties = tty.properties(of: device, devicePrefix: "")
        try write(properties.map { "\($0.key)=\($0.value)" }.joined(separator: "\n"), to: "sys/\(path)/uevent")
        try makeDirectory("sys/class/tty")
        try link("sys/class/tty/\(tty.name)", to: "../../\(path)")
    }

    /// Its place in sysfs goes with the device.
    func remove(_ tty: TTYRecord) {
        remove("dev/\(tty.name)")
        remove("dev/.node/\(tty.name)")
        remove("sys/class/tty/\(tty.name)")
    }
}
