/// An authorisation response code (ISO 8583 field 39; as tag 8A in ASCII): two characters.
public struct ResponseCode: Hashable, Sendable {
    public let text: String

    /// Nil unless `text` is two ASCII letters or digits; such a code must be mapped, never sent to a card as 8A.
    public init?(_ text: String) {
        let isLetterOrDigit: (UInt8) -> Bool = {
            (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
        }
        guard text.utf8.count == 2, text.utf8.allSatisfy(isLetterOrDigit) else { return nil }
        self.text = text
    }

    private init(known text: String) {
        self.text = text
    }

    public static let approved = ResponseCode(known: "00")
    public static let callIssuer = ResponseCode(known: "01")
    public static let invalidMerchant = ResponseCode(known: "03")
    public static let keepCard = ResponseCode(known: "04")
    public static let declined = ResponseCode(known: "05")
    public static let approveWithIdentification = ResponseCode(known: "08")
    public static let partialApproval = ResponseCode(known: "10")
    public static let invalidTransaction = ResponseCode(known: "12")
    public static let invalidAmount = ResponseCode(known: "13")
    public static let unknownIssuer = ResponseCode(known: "14")
    public static let insufficientFunds = ResponseCode(known: "51")
    public static let expiredCard = ResponseCode(known: "54")
    public static let wrongPIN = ResponseCode(known: "55")
    public static let issuerUnavailable = ResponseCode(known: "91")
    public static let systemError = ResponseCode(known: "96")

    /// Approved in full. Code 08, approve with identification, is not: nobody at an unattended kiosk can identify.
    public var isApproved: Bool { self == .approved }

    /// Approved for less than was asked.
    public var isPartial: Bool { self == .partialApproval }

    /// Declined for a passing reason: the cardholder may try again later.
    public var isRetryAdvised: Bool { self == .issuerUnavailable || self == .systemError }

    /// The value of tag 8A: two bytes.
    public var bytes: [UInt8] { Array(text.utf8) }
}

extension ResponseCode: CustomStringConvertible {
    public var description: String { text }
}
