/// A message type indicator (ISO 8583:1987, 4.1): version, class, function, origin; one digit each.
public struct MessageType: Hashable, Sendable {
    /// Four digits, `0200`.
    public let text: String

    /// Nil unless `text` is four ASCII digits.
    public init?(_ text: String) {
        guard text.utf8.count == 4, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        self.text = text
    }

    private init(known text: String) {
        self.text = text
    }

    public static let authorisationRequest = MessageType(known: "0100")
    public static let authorisationResponse = MessageType(known: "0110")
    public static let financialRequest = MessageType(known: "0200")
    public static let financialResponse = MessageType(known: "0210")
    public static let financialAdvice = MessageType(known: "0220")
    public static let financialAdviceResponse = MessageType(known: "0230")
    public static let reversalRequest = MessageType(known: "0400")
    public static let reversalResponse = MessageType(known: "0410")
    public static let reversalAdvice = MessageType(known: "0420")
    public static let reversalAdviceResponse = MessageType(known: "0430")
    public static let reconciliationRequest = MessageType(known: "0500")
    public static let reconciliationResponse = MessageType(known: "0510")
    public static let networkManagementRequest = MessageType(known: "0800")
    public static let networkManagementResponse = MessageType(known: "0810")

    /// Whether this is a request or an advice (an even function), which wants an answer.
    public var isRequest: Bool { digit(2) % 2 == 0 }

    /// The first time it is sent has an even origin; a repeat has the odd one after it.
    public var isRepeat: Bool { digit(3) % 2 == 1 }

    /// The same message as a repeat: `0421` of `0420`. A repeat is its own.
    public var repeated: MessageType { isRepeat ? self : with(origin: digit(3) + 1) }

    /// The same message as it was sent first: `0420` of `0421`.
    public var first: MessageType { isRepeat ? with(origin: digit(3) - 1) : self }

    /// What answers a request or an advice, repeated or not: `0210` of `0201`. Nil of an answer.
    public var response: MessageType? {
        guard isRequest else { return nil }
        return MessageType(known: String(text.prefix(2)) + "\(digit(2) + 1)" + "\(first.digit(3))")
    }

    private func digit(_ position: Int) -> Int {
        Int(Array(text.utf8)[position]) - 0x30
    }

    private func with(origin: Int) -> MessageType {
        MessageType(known: String(text.prefix(3)) + "\(origin)")
    }
}

extension MessageType: CustomStringConvertible {
    public var description: String { text }
}
