/// Makes the firmware core that a device specification names.
public enum CoreFactory {
    /// The families that `make` knows, for help texts.
    public static let families = ["ccid", "mpi", "neo2", "neo2-serial", "qpos", "reference"] + USBSerialCore.families

    /// A fresh core.
    ///
    /// - Throws: `CoreOptionError` when the family is unknown or one of its options is.
    public static func make(_ spec: DeviceSpec) throws(CoreOptionError) -> any FirmwareCore {
        switch spec.family {
        case "ccid":
            return try CCIDReaderCore.make(options: spec.options)
        case "neo2":
            return try NEO2HIDCore.make(options: spec.options)
        case "neo2-serial":
            let identity = SerialUSBCore.Identity(
                vendorId: 0x0ACD, productId: 0x0630, manufacturer: "ID TECH", product: "Spectrum III Mock",
                serial: spec.options["serial"] ?? "310T061040")
            return SerialUSBCore(try NEO2SerialCore.make(options: spec.options), as: identity)
        case "mpi":
            let identity = SerialUSBCore.Identity(
                vendorId: try usbId("vid", spec.options) ?? 0x2DDA, productId: try usbId("pid", spec.options) ?? 0x0001,
                manufacturer: "Miura Systems", product: "MPI Mock", serial: spec.options["serial"] ?? "01234567")
            return SerialUSBCore(try MPIFirmware.make(options: spec.options), as: identity)
        case "qpos":
            let identity = SerialUSBCore.Identity(
                vendorId: try usbId("vid", spec.options) ?? 0x03EB, productId: try usbId("pid", spec.options) ?? 0x0001,
                manufacturer: "DSpread", product: "QPOS Mock", serial: spec.options["serial"] ?? "QP000001")
            return SerialUSBCore(try QPOSFirmware.make(options: spec.options), as: identity)
        case "reference":
            return try ReferenceCore.make(options: spec.options)
        case _ where USBSerialCore.families.contains(spec.family):
            return try USBSerialCore.make(family: spec.family, options: spec.options)
        default:
            let known = families.joined(separator: ", ")
            throw CoreOptionError("there is no firmware family '\(spec.family)'; known: \(known)")
        }
    }

    private static func usbId(_ name: String, _ options: [String: String]) throws(CoreOptionError) -> UInt16? {
        guard let text = options[name] else { return nil }
        guard let id = UInt16(text, radix: 16) else { throw CoreOptionError(name, "must be hexadecimal") }
        return id
    }
}
