internal import CLibUSB
internal import USBDescriptors

/// An open device with one interface claimed: the unit "detach the kernel driver, claim; release, re-attach".
///
/// Unchecked: libusb's functions on a handle are thread-safe; it is closed once, as the last job of its connection.
struct DeviceHandle: @unchecked Sendable {
    let pointer: OpaquePointer
    let interface: InterfaceDescriptor
    let hasDetachedDriver: Bool

    /// Opens and claims, undoing every step when a later one fails. Blocks.
    static func open(
        _ address: USBDeviceAddress, interface selection: USBInterfaceSelection, detachesKernelDriver: Bool,
        in context: LibUSBContextPointer
    ) throws(LibUSBError) -> Self {
        let device = try DeviceList.find(address, in: context)
        defer { libusb_unref_device(device) }
        var handle: OpaquePointer?
        try check(libusb_open(device, &handle))
        guard let handle else { throw .noMemory }
        do throws(LibUSBError) {
            let configuration = try ActiveConfiguration.read(from: device)
            guard let interface = selection.choose(from: configuration) else { throw .noSuchInterface }
            let hasDetached = try claim(Int32(interface.number), of: handle, detachesKernelDriver: detachesKernelDriver)
            return Self(pointer: handle, interface: interface, hasDetachedDriver: hasDetached)
        } catch {
            libusb_close(handle)
            throw error
        }
    }

    private static func claim(
        _ number: Int32, of handle: OpaquePointer, detachesKernelDriver: Bool
    ) throws(LibUSBError) -> Bool {
        var hasDetached = false
        if detachesKernelDriver, libusb_kernel_driver_active(handle, number) == 1 {
            try check(libusb_detach_kernel_driver(handle, number))
            hasDetached = true
        }
        do throws(LibUSBError) {
            try check(libusb_claim_interface(handle, number))
        } catch {
            if hasDetached { libusb_attach_kernel_driver(handle, number) }
            throw error
        }
        return hasDetached
    }

    /// Releases, re-attaches what was detached, closes. Blocks. Errors cannot be acted on: a device that has left has
    /// nothing to release.
    func close() {
        let number = Int32(interface.number)
        libusb_release_interface(pointer, number)
        if hasDetachedDriver { libusb_attach_kernel_driver(pointer, number) }
        libusb_close(pointer)
    }

    /// CLEAR_FEATURE(ENDPOINT_HALT) and a reset of the data toggle. Blocks, in the kernel for at most five seconds.
    func clearHalt(_ endpoint: UInt8) throws(LibUSBError) {
        try Self.check(libusb_clear_halt(pointer, endpoint))
    }

    private static func check(_ code: Int32) throws(LibUSBError) {
        guard code >= 0 else { throw LibUSBError(code: code) }
    }
}
