internal import CLibUSB

/// libusb's list of what is plugged in.
enum DeviceList {
    /// The device at `address`, with a reference that the caller gives back. `.notFound` when there is none.
    static func find(_ address: USBDeviceAddress, in context: LibUSBContextPointer) throws(LibUSBError) -> OpaquePointer
    {
        var list: UnsafeMutablePointer<OpaquePointer?>?
        let count = libusb_get_device_list(context.pointer, &list)
        guard count >= 0, let list else { throw LibUSBError(code: Int32(clamping: count)) }
        defer { libusb_free_device_list(list, 1) }
        for index in 0..<count {
            guard let device = list[index], libusb_get_bus_number(device) == address.bus,
                libusb_get_device_address(device) == address.device
            else { continue }
            return libusb_ref_device(device)
        }
        throw .notFound
    }
}
