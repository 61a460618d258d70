/// The one table of readers. The udev rules and `docs/supported-readers.md` are made from it by `make generate`, and a
/// test shows that they agree.
public enum ReaderCatalogue {
    /// Models known by name. A CCID reader that is not here works by its interface class.
    public static let models: [ReaderModel] = [
        ReaderModel(0x04E6, 0x5116, "SCM SCR3310", family: .ccid, claim: .specified),
        ReaderModel(0x072F, 0xB100, "ACS ACR39U", family: .ccid, claim: .specified),
        ReaderModel(0x076B, 0x3021, "OMNIKEY CardMan 3021", family: .ccid, claim: .specified),
        ReaderModel(0x076B, 0x3031, "OMNIKEY CardMan 3031", family: .ccid, claim: .specified),
        ReaderModel(0x08E6, 0x3437, "Gemalto GemPC Twin", family: .ccid, claim: .specified),
        ReaderModel(0x08E6, 0x3479, "Gemalto GemCore POS Pro", family: .ccid, claim: .specified),
        ReaderModel(0x0ACD, 0x3530, "ID TECH VP3300", family: .neo2, claim: .specified),
        ReaderModel(0x0ACD, 0x3710, "ID TECH Kiosk III", family: .neo2, claim: .specified),
        ReaderModel(0x0CA6, 0x00A0, "Castles EZCCID", family: .ccid, claim: .specified),
        ReaderModel(0x0F14, 0x003D, "Ingenico WITEO", family: .ccid, claim: .specified),
        ReaderModel(
            0x23D8, 0x0603, "CREATOR CRT-603(CZ1)", family: .ccid, claim: .specified,
            quirks: [
                ReaderModel.Quirk(
                    .responseTimeout(milliseconds: 10_000),
                    because: "A motorised kiosk reader moves the card before it answers to power on.")
            ]),
    ]

    public static func model(vendorId: UInt16, productId: UInt16) -> ReaderModel? {
        models.first { $0.vendorId == vendorId && $0.productId == productId }
    }

    /// The USB interface class that makes a device a CCID reader, whatever its ids.
    public static let ccidInterfaceClass: UInt8 = 0x0B

    /// ID TECH. Its readers with a HID interface are asked by a NEO2 ping who they are: many product ids are not public.
    public static let neo2Vendor: UInt16 = 0x0ACD
    public static let hidInterfaceClass: UInt8 = 0x03

    /// Products of that vendor that speak something else: Augusta and Augusta SRED, SecurePIN, ValueMag, the serial
    /// adapter.
    public static let otherProtocolProducts: Set<UInt16> = [0x0300, 0x0810, 0x2030, 0x3820, 0x3920]

    /// The group that may use readers. It comes with the rules and with the service's user.
    public static let group = "readerkit"

    /// Setting this udev property to 1 keeps ReaderKit away from a device.
    public static let ignoreProperty = "READERKIT_IGNORE"
}
