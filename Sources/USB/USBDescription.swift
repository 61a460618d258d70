internal import CLibUSB
public import USBDescriptors

/// What a device says of itself.
public struct USBDescription: Sendable, Hashable {
    public var device: DeviceDescriptor
    /// The configuration that the device is in.
    public var configuration: ConfigurationDescriptor

    public init(device: DeviceDescriptor, configuration: ConfigurationDescriptor) {
        self.device = device
        self.configuration = configuration
    }

    /// From libusb's copy: no transfer takes place.
    static func read(_ address: USBDeviceAddress, in context: LibUSBContextPointer) throws(LibUSBError) -> Self {
        let device = try DeviceList.find(address, in: context)
        defer { libusb_unref_device(device) }
        var found = libusb_device_descriptor()
        let code = libusb_get_device_descriptor(device, &found)
        guard code == 0 else { throw LibUSBError(code: code) }
        return Self(
            device: DeviceDescriptor(
                usbVersion: found.bcdUSB, deviceClass: found.bDeviceClass, subclass: found.bDeviceSubClass,
                deviceProtocol: found.bDeviceProtocol, maxPacketSize0: found.bMaxPacketSize0,
                vendorId: found.idVendor, productId: found.idProduct, release: found.bcdDevice,
                manufacturerIndex: found.iManufacturer, productIndex: found.iProduct, serialIndex: found.iSerialNumber,
                configurationCount: found.bNumConfigurations),
            configuration: try ActiveConfiguration.read(from: device))
    }
}
