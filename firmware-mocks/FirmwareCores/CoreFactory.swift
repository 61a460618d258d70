/// Makes the firmware core that a device specification names.
public enum CoreFactory {
    /// The families that `make` knows, for help texts.
    public static let families = ["ccid", "reference"]

    /// A fresh core.
    ///
    /// - Throws: `CoreOptionError` when the family is unknown or one of its options is.
    public static func make(_ spec: DeviceSpec) throws(CoreOptionError) -> any FirmwareCore {
        switch spec.family {
        case "ccid":
            return try CCIDReaderCore.make(options: spec.options)
        case "reference":
            return try ReferenceCore.make(options: spec.options)
        default:
            let known = families.joined(separator: ", ")
            throw CoreOptionError("there is no firmware family '\(spec.family)'; known: \(known)")
        }
    }
}
