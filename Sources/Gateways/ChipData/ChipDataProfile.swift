public import BERTLV

/// Which objects go to a gateway in field 55 (ISO 8583 DE 55), in which order and how many bytes at most. Account data
/// never goes: neither the builder nor any profile can include it.
public struct ChipDataProfile: Sendable, Hashable {
    /// In the order in which they are sent. An inner list names alternatives: the first that is present goes.
    private let allowed: [[Tag]]
    /// Bytes of the whole field.
    public let lengthLimit: Int

    /// Nil when a tag carries account data, belongs to a vendor, or is a template.
    public init?(allowed: [[Tag]], lengthLimit: Int = 255) {
        guard lengthLimit > 0, !allowed.joined().contains(where: { Self.isDenied($0) || $0.isConstructed }) else {
            return nil
        }
        self.init(checked: allowed, lengthLimit: lengthLimit)
    }

    private init(checked allowed: [[Tag]], lengthLimit: Int) {
        self.allowed = allowed
        self.lengthLimit = lengthLimit
    }

    /// The usual authorisation request.
    public static let request = ChipDataProfile(
        checked: requestTags.map { [$0] } + [[0x84, 0x4F, 0x9F06]] + additionalTags.map { [$0] }, lengthLimit: 255)

    /// A reversal or advice: the request's objects with 95 as it stands at the end, and 9B and 9F5B.
    public static let reversal = ChipDataProfile(
        checked: requestTags.map { [$0] } + [[0x84, 0x4F, 0x9F06]] + additionalTags.map { [$0] }
            + [[0x9B], [0x9F5B]], lengthLimit: 255)

    /// The advice of an approval without the issuer: the request's objects as they stand at the end, the response code of
    /// the terminal (8A), and 9B.
    public static let advice = ChipDataProfile(
        checked: requestTags.map { [$0] } + [[0x84, 0x4F, 0x9F06]] + additionalTags.map { [$0] }
            + [[0x8A], [0x9B]], lengthLimit: 255)

    private static let requestTags: [Tag] = [
        0x9F26, 0x9F27, 0x9F10, 0x9F37, 0x9F36, 0x95, 0x9A, 0x9C, 0x9F02, 0x9F03, 0x5F2A, 0x82, 0x9F1A, 0x9F33, 0x9F34,
        0x9F35,
    ]
    private static let additionalTags: [Tag] = [0x9F09, 0x9F1E, 0x9F41, 0x5F34, 0x9F53]

    /// Whether an object must never go: account data and every vendor's own tag (DFxx).
    public static func isDenied(_ tag: Tag) -> Bool {
        switch tag {
        // Track data, PAN, name, expiry, PIN data, discretionary data.
        case 0x56, 0x57, 0x5A, 0x5F20, 0x5F24, 0x99, 0x9F0B, 0x9F1F, 0x9F20, 0x9F6B: true
        default: tag.firstByte & 0xDF == 0xDF
        }
    }

    /// Builds the field. Values go byte for byte, each tag once; absent and empty ones are left out.
    /// Throws `badRequest` when the field would be longer than the limit.
    public func build(_ value: (Tag) -> [UInt8]?) throws(GatewayError) -> [UInt8] {
        var field: [UInt8] = []
        // A list: there are too few of them for a set to be faster.
        var sent: [Tag] = []
        for alternatives in allowed {
            for tag in alternatives where !sent.contains(tag) {
                guard let bytes = value(tag), !bytes.isEmpty else { continue }
                guard field.count + bytes.count <= lengthLimit else { throw Self.tooLong(lengthLimit) }
                field += encodeTLV(tag, bytes)
                sent.append(tag)
                break
            }
        }
        guard field.count <= lengthLimit else { throw Self.tooLong(lengthLimit) }
        return field
    }

    private static func tooLong(_ limit: Int) -> GatewayError {
        .badRequest(reason: "the chip data would be longer than \(limit) bytes")
    }
}
