/// One transaction as the card saw it. Values are what the terminal sent; account data is never among them.
public struct CardTransaction: Sendable, Hashable {
    /// 9F36 of this transaction.
    public let counter: UInt16
    /// The AID.
    public let application: [UInt8]
    /// What came with GET PROCESSING OPTIONS, GENERATE AC 1 and 2, by tag in hexadecimal: "9F02".
    public internal(set) var processingOptions: [String: [UInt8]] = [:]
    public internal(set) var first: [String: [UInt8]] = [:]
    public internal(set) var second: [String: [UInt8]] = [:]
    /// P1 of GENERATE AC, and the card's answer (9F27): 00 AAC, 40 TC, 80 ARQC.
    public internal(set) var firstAsked: UInt8?
    public internal(set) var firstAnswer: UInt8?
    public internal(set) var secondAsked: UInt8?
    public internal(set) var secondAnswer: UInt8?
    /// True and false for a right and a wrong 91; nil when the card saw none.
    public internal(set) var issuerAuthenticated: Bool?
    /// Script commands with a right MAC.
    public internal(set) var scriptCommands = 0

    /// Signatures that the card made: DDA and CDA.
    public internal(set) var signatures = 0

    init(counter: UInt16, application: [UInt8]) {
        self.counter = counter
        self.application = application
    }

    /// A value of the first GENERATE AC in hexadecimal, for example "000000011500" for 9F02; nil when it was not sent.
    public func firstValue(_ tag: String) -> String? {
        first[tag].map { hexadecimal($0) }
    }

    /// The same for the second.
    public func secondValue(_ tag: String) -> String? {
        second[tag].map { hexadecimal($0) }
    }
}
