internal import CLibUDev

/// libudev's context and, when asked for, its monitor. Used by one thread from begin to end.
struct UdevWorld<Device: Discoverable>: ~Copyable {
    private let udev: OpaquePointer
    private let monitor: OpaquePointer?

    /// With a monitor, receiving is enabled before this returns: whatever is scanned later, nothing falls between.
    init(monitoring: Bool) throws(DiscoveryError) {
        guard let udev = udev_new() else { throw .noUdev }
        guard monitoring else {
            self.udev = udev
            monitor = nil
            return
        }
        // "udev" is what udevd sends once its rules have run; "kernel" would be too early.
        guard let monitor = udev_monitor_new_from_netlink(udev, "udev") else {
            udev_unref(udev)
            throw .noMonitor
        }
        guard udev_monitor_filter_add_match_subsystem_devtype(monitor, Device.subsystem, Device.deviceType) >= 0,
            udev_monitor_enable_receiving(monitor) >= 0
        else {
            udev_monitor_unref(monitor)
            udev_unref(udev)
            throw .noMonitor
        }
        // Plugging in a hub full of devices brings a burst. Without the privilege the default size stays.
        udev_monitor_set_receive_buffer_size(monitor, 1 << 20)
        self.udev = udev
        self.monitor = monitor
    }

    deinit {
        if let monitor { udev_monitor_unref(monitor) }
        udev_unref(udev)
    }

    /// Readable when there is an event; -1 without a monitor.
    var descriptor: Int32 {
        monitor.map { udev_monitor_get_fd($0) } ?? -1
    }

    /// The next event's device, nil when there is none now.
    func nextEvent() -> UdevDevice? {
        monitor.flatMap { UdevDevice(owning: udev_monitor_receive_device($0)) }
    }

    /// What is plugged in now.
    func scan() throws(DiscoveryError) -> [Device] {
        guard let list = udev_enumerate_new(udev) else { throw .scanFailed }
        defer { udev_enumerate_unref(list) }
        guard udev_enumerate_add_match_subsystem(list, Device.subsystem) >= 0 else { throw .scanFailed }
        if let type = Device.deviceType, udev_enumerate_add_match_property(list, "DEVTYPE", type) < 0 {
            throw .scanFailed
        }
        guard udev_enumerate_scan_devices(list) >= 0 else { throw .scanFailed }
        var devices: [Device] = []
        var entry = udev_enumerate_get_list_entry(list)
        while let present = entry {
            let path = udev_list_entry_get_name(present)
            if let device = UdevDevice(owning: udev_device_new_from_syspath(udev, path)), let read = Device(device) {
                devices.append(read)
            }
            entry = udev_list_entry_get_next(present)
        }
        return devices
    }
}
