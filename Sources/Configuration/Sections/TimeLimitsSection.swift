import JSONText

/// How long the terminal waits.
public struct TimeLimitsSection: ConfigurationSection, Hashable {
    /// For a card; seconds, 1 to 600.
    public let card: Int
    /// For the gateway's answer; seconds, 1 to 600.
    public let host: Int

    init(_ file: ObjectReader) {
        card = file.value("cardTimeoutSeconds", .wholeNumber(1...600, of: "seconds"), default: 60)
        host = file.value("hostTimeoutSeconds", .wholeNumber(1...600, of: "seconds"), default: 60)
    }

    var members: [JSONValue.Member] {
        [
            .init("cardTimeoutSeconds", .integer(Int64(card))), .init("hostTimeoutSeconds", .integer(Int64(host))),
        ]
    }
}

extension KioskConfiguration {
    public var timeLimits: TimeLimitsSection { self[TimeLimitsSection.self] }
}
