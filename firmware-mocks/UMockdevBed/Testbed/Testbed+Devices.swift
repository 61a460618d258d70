import FirmwareCores

extension Testbed {
    /// The directories that exist without any device, and the root hub.
    func makeSkeleton() throws(MockBusError) {
        for directory in [
            "sys/bus/usb/devices", "sys/class", "dev/bus/usb/\(DeviceAddress.hub.busText)", "dev/.node",
            "ioctl/dev/bus/usb/\(DeviceAddress.hub.busText)", "run/udev/data",
        ] {
            try makeDirectory(directory)
        }
        let hub = DeviceRecord(address: .hub, descriptors: .rootHub)
        try write([], to: "dev/\(hub.address.node)")
        try link(hub.address.nodeNumberFile, to: "189:\(hub.address.minor)")
        try addToSys(hub)
    }

    /// The device's directory, those of its interfaces, and last the links by which an enumeration finds them.
    func addToSys(_ record: DeviceRecord) throws(MockBusError) {
        let address = record.address
        let directory = "sys/" + address.sysPath
        try makeDirectory(directory)
        for (name, value) in record.attributes { try write(value, to: directory + "/" + name) }
        try write(record.descriptors.device + record.descriptors.configuration, to: directory + "/descriptors")
        try write(text(record.fileProperties), to: directory + "/uevent")
        try link(directory + "/subsystem", to: upwards(from: address.sysPath) + "bus/usb")
        try write(record.database.joined(separator: "\n"), to: address.database)
        for interface in record.interfaces {
            let name = address.interfaceName(interface.number)
            let path = address.sysPath + "/" + name
            try makeDirectory("sys/" + path)
            for (name, value) in record.attributes(of: interface) { try write(value, to: "sys/\(path)/\(name)") }
            try write(text(record.properties(of: interface)), to: "sys/\(path)/uevent")
            try link("sys/\(path)/subsystem", to: upwards(from: path) + "bus/usb")
            try link("sys/bus/usb/devices/\(name)", to: "../../../\(path)")
        }
        try link("sys/bus/usb/devices/\(address.port)", to: "../../../\(address.sysPath)")
    }

    /// Shows a driver at every interface that has none.
    func bind(_ record: DeviceRecord, to driver: String) throws(MockBusError) {
        try makeDirectory("sys/bus/usb/drivers/\(driver)")
        for interface in record.interfaces {
            let path = record.address.sysPath + "/" + record.address.interfaceName(interface.number)
            let place = "sys/\(path)/driver"
            guard !isLink(place) else { continue }
            try link(place, to: upwards(from: path) + "bus/usb/drivers/\(driver)")
        }
    }

    func unbind(_ record: DeviceRecord) {
        for interface in record.interfaces {
            remove("sys/\(record.address.sysPath)/\(record.address.interfaceName(interface.number))/driver")
        }
    }

    func removeFromSys(_ record: DeviceRecord) {
        let address = record.address
        remove("sys/bus/usb/devices/\(address.port)")
        for interface in record.interfaces {
            remove("sys/bus/usb/devices/\(address.interfaceName(interface.number))")
        }
        remove(address.database)
        remove("sys/" + address.sysPath)
    }

    private func upwards(from path: String) -> String {
        String(repeating: "../", count: path.split(separator: "/").count)
    }

    private func text(_ properties: [(key: String, value: String)]) -> String {
        properties.map { "\($0.key)=\($0.value)" }.joined(separator: "\n")
    }
}
