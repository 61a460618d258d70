extension BitTable {
    /// Tag 82 (Book 3, Annex C1).
    static let applicationInterchangeProfile = BitTable([
        [
            "XDA supported (EMV 4.4)", "SDA supported", "DDA supported", "Cardholder verification is supported",
            "Terminal risk management is to be performed", "Issuer authentication is supported",
            "On-device cardholder verification is supported (contactless)", "CDA supported",
        ],
        [
            "EMV mode is supported (contactless)", "Mobile device (contactless)", "Contactless transaction", "", "", "",
            "", "Relay resistance protocol is supported (contactless)",
        ],
    ])

    /// Tag 9F07 (Book 3, Annex C2).
    static let applicationUsageControl = BitTable([
        [
            "Valid for domestic cash transactions", "Valid for international cash transactions",
            "Valid for domestic goods", "Valid for international goods", "Valid for domestic services",
            "Valid for international services", "Valid at ATMs", "Valid at terminals other than ATMs",
        ],
        ["Domestic cashback allowed", "International cashback allowed", "", "", "", "", "", ""],
    ])
}
