internal import CLibUSB
internal import USBDescriptors

/// An open device with its interfaces claimed: the unit "detach the kernel drivers, claim; release, re-attach".
///
/// Unchecked: libusb's functions on a handle are thread-safe; it is closed once, as the last job of its connection.
struct DeviceHandle: @unchecked Sendable {
    let pointer: OpaquePointer
    /// The chosen interface, and those claimed with it.
    let interface: InterfaceDescriptor
    let companions: [InterfaceDescriptor]
    private let claims: [Claim]

    /// An interface that is ours, and whether a kernel driver had it before.
    private struct Claim {
        let number: Int32
        let hasDetachedDriver: Bool
    }

    /// Opens and claims, undoing every step when a later one fails. Blocks.
    static func open(
        _ address: USBDeviceAddress, interface selection: USBInterfaceSelection, _ options: USBOpenOptions,
        in context: LibUSBContextPointer
    ) throws(LibUSBError) -> Self {
        let device = try DeviceList.find(address, in: context)
        defer { libusb_unref_device(device) }
        var handle: OpaquePointer?
        try check(libusb_open(device, &handle))
        guard let handle else { throw .noMemory }
        var claims: [Claim] = []
        do throws(LibUSBError) {
            let configuration = try ActiveConfiguration.read(from: device)
            guard let interface = selection.choose(from: configuration) else { throw .noSuchInterface }
            var companions: [InterfaceDescriptor] = []
            for number in options.companions where number != interface.number {
                guard let companion = USBInterfaceSelection.number(number).choose(from: configuration) else {
                    throw .noSuchInterface
                }
                companions.append(companion)
            }
            // A driver of a function with several interfaces (cdc_acm) is bound by the first of them and holds the others.
            for claimed in (companions + [interface]).sorted(by: { $0.number < $1.number }) {
                let number = Int32(claimed.number)
                claims.append(try claim(number, of: handle, detachesKernelDriver: options.detachesKernelDriver))
            }
            return Self(pointer: handle, interface: interface, companions: companions, claims: claims)
        } catch {
            giveBack(claims, of: handle)
            libusb_close(handle)
            throw error
        }
    }

    private static func claim(
        _ number: Int32, of handle: OpaquePointer, detachesKernelDriver: Bool
    ) throws(LibUSBError) -> Claim {
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
        return Claim(number: number, hasDetachedDriver: hasDetached)
    }

    /// Everything is released before the first driver comes back: one that needs several interfaces finds them free.
    private static func giveBack(_ claims: [Claim], of handle: OpaquePointer) {
        for claim in claims { libusb_release_interface(handle, claim.number) }
        for claim in claims where claim.hasDetachedDriver { libusb_attach_kernel_driver(handle, claim.number) }
    }

    /// Releases, re-attaches what was detached, closes. Blocks. Errors cannot be acted on: a device that has left has
    /// nothing to release.
    func close() {
        Self.giveBack(claims, of: pointer)
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
