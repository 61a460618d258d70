public import BERTLV

/// Data objects whose values are not shown or logged (PCI DSS 3.3, 3.4): PAN, tracks, cardholder data, PIN data.
public enum SensitiveTag {
    /// What can be shown instead of the value.
    public enum Kind: Sendable, Hashable {
        /// A PAN in format cn: its last four digits may be shown.
        case pan
        /// A track 2 image that begins with a PAN: the PAN's last four digits may be shown.
        case track2
        /// The cardholder's name.
        case name
        /// The expiration date.
        case expiry
        /// Nothing of it.
        case secret
    }

    /// Nil for an object that may be shown.
    public static func kind(of tag: Tag) -> Kind? {
        switch tag.number {
        case 0x5A, 0xDFAE5A: .pan
        case 0x57, 0x9F6B, 0xDFAE57: .track2
        case 0x5F20, 0x9F0B: .name
        case 0x5F24: .expiry
        case 0x56, 0x99, 0x9F1F, 0x9F20, 0x5F53, 0xDF812A, 0xDF812B, 0xDFAE22, 0xDFAE56, 0xDFEE23:
            .secret
        default: nil
        }
    }

    public static func contains(_ tag: Tag) -> Bool { kind(of: tag) != nil }
}
