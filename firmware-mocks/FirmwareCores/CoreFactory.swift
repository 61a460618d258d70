/// Makes the firmware core that a device specification names.
public enum CoreFactory {
    /// The families that `make` knows, for help texts.
    public static let families = ["ccid", "neo2", "neo2-serial", "reference"]

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
        case "reference":
            return try ReferenceCore.make(options: spec.options)
        default:
            let known = families.joined(separator: ", ")
            throw CoreOptionError("there is no firmware family '\(spec.family)'; known: \(known)")
        }
    }
}
