/// Where a reader on a byte stream may be found whose product ids are not published. A hint only says that asking is worth
/// it: what the device is, it says itself (`identify(over:)` of its family). Nothing is sent to a device on a hint alone.
public struct SerialReaderHint: Sendable, Hashable {
    public let vendorId: UInt16
    /// Nil when none is published.
    public let productId: UInt16?
    /// Must stand in the manufacturer string, in any case; nil when the ids are enough.
    public let manufacturer: String?
    public let family: ReaderFamily
    public let claim: SupportClaim
    /// Whose id it is.
    public let owner: String
    /// The id stands on devices of all kinds (chips for serial lines, development kits): never a reason to touch one.
    public let isShared: Bool

    init(
        _ vendorId: UInt16, _ productId: UInt16? = nil, manufacturer: String? = nil, owner: String,
        family: ReaderFamily, isShared: Bool = false
    ) {
        self.vendorId = vendorId
        self.productId = productId
        self.manufacturer = manufacturer
        self.owner = owner
        self.family = family
        self.isShared = isShared
        claim = .vendorHostCode
    }

    /// Only devices of the vendor match it: a tty of one may be written to.
    public var isReasonToAsk: Bool { !isShared || manufacturer != nil }

    /// - Parameter manufacturer: the device's own string.
    public func matches(vendorId: UInt16, productId: UInt16, manufacturer: String?) -> Bool {
        guard vendorId == self.vendorId, self.productId.map({ $0 == productId }) ?? true else { return false }
        guard let wanted = self.manufacturer else { return true }
        return (manufacturer ?? "").lowercased().contains(wanted.lowercased())
    }
}

extension ReaderCatalogue {
    /// From the vendors' public host code.
    public static let serialHints: [SerialReaderHint] = [
        SerialReaderHint(0x03AA, owner: "DSpread's web demo", family: .qpos, isShared: true),
        SerialReaderHint(0x03EB, owner: "Atmel", family: .qpos, isShared: true),
        SerialReaderHint(0x0403, owner: "FTDI", family: .qpos, isShared: true),
        SerialReaderHint(0x0B95, owner: "ASIX", family: .qpos, isShared: true),
        SerialReaderHint(0x1A86, owner: "QinHeng", family: .qpos, isShared: true),
        SerialReaderHint(
            0x0525, 0xA4A5, manufacturer: "miura", owner: "Linux gadgets", family: .mpi, isShared: true),
        SerialReaderHint(
            0x0525, 0xA4A7, manufacturer: "miura", owner: "Linux gadgets", family: .mpi, isShared: true),
        SerialReaderHint(0x11CA, owner: "Verifone", family: .mpi),
        SerialReaderHint(0x2DDA, owner: "Miura", family: .mpi),
    ]

    /// The families that a device may belong to, by its descriptors alone.
    public static func serialFamilies(
        vendorId: UInt16, productId: UInt16, manufacturer: String?
    ) -> Set<ReaderFamily> {
        Set(
            serialHints.filter {
                $0.matches(vendorId: vendorId, productId: productId, manufacturer: manufacturer)
            }.map(\.family))
    }
}
