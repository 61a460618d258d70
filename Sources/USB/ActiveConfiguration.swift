internal import CLibUSB
internal import USBDescriptors

/// The configuration a device is in, out of libusb's structures.
enum ActiveConfiguration {
    static func read(from device: OpaquePointer) throws(LibUSBError) -> ConfigurationDescriptor {
        var found: UnsafeMutablePointer<libusb_config_descriptor>?
        let code = libusb_get_active_config_descriptor(device, &found)
        guard code == 0, let found else { throw LibUSBError(code: code) }
        defer { libusb_free_config_descriptor(found) }
        let configuration = found.pointee
        let interfaces = UnsafeBufferPointer(start: configuration.interface, count: Int(configuration.bNumInterfaces))
        return ConfigurationDescriptor(
            value: configuration.bConfigurationValue, attributes: configuration.bmAttributes,
            maxPower: configuration.MaxPower,
            interfaces: interfaces.flatMap { interface in
                UnsafeBufferPointer(start: interface.altsetting, count: Int(interface.num_altsetting)).map(convert)
            },
            extra: bytes(configuration.extra, configuration.extra_length))
    }

    private static func convert(_ setting: libusb_interface_descriptor) -> InterfaceDescriptor {
        InterfaceDescriptor(
            number: setting.bInterfaceNumber, alternateSetting: setting.bAlternateSetting,
            interfaceClass: setting.bInterfaceClass, subclass: setting.bInterfaceSubClass,
            interfaceProtocol: setting.bInterfaceProtocol,
            endpoints: UnsafeBufferPointer(start: setting.endpoint, count: Int(setting.bNumEndpoints)).map { endpoint in
                EndpointDescriptor(
                    address: endpoint.bEndpointAddress, attributes: endpoint.bmAttributes,
                    maxPacketSize: Int(endpoint.wMaxPacketSize & 0x07FF), interval: endpoint.bInterval,
                    extra: bytes(endpoint.extra, endpoint.extra_length))
            },
            extra: bytes(setting.extra, setting.extra_length))
    }

    private static func bytes(_ start: UnsafePointer<UInt8>?, _ count: Int32) -> [UInt8] {
        Array(UnsafeBufferPointer(start: start, count: start == nil ? 0 : max(0, Int(count))))
    }
}
