extension BitTable {
    /// Tag 9B (Book 3, Annex C6).
    static let transactionStatusInformation = BitTable([
        [
            "Offline data authentication was performed", "Cardholder verification was performed",
            "Card risk management was performed", "Issuer authentication was performed",
            "Terminal risk management was performed", "Script processing was performed", "", "",
        ],
        [],
    ])

    /// Tag 9F33 (Book 4, Annex A2).
    static let terminalCapabilities = BitTable([
        ["Manual key entry", "Magnetic stripe", "IC with contacts", "", "", "", "", ""],
        [
            "Plaintext PIN for ICC verification", "Enciphered PIN for online verification", "Signature",
            "Enciphered PIN for offline verification (RSA)", "No CVM required", "Online biometric (EMV 4.4)",
            "Offline biometric (EMV 4.4)", "Enciphered PIN for offline verification (ECC, EMV 4.4)",
        ],
        ["SDA", "DDA", "Card capture", "", "CDA", "XDA (EMV 4.4)", "", ""],
    ])

    /// Tag 9F40 (Book 4, Annex A3).
    static let additionalTerminalCapabilities = BitTable([
        ["Cash", "Goods", "Services", "Cashback", "Inquiry", "Transfer", "Payment", "Administrative"],
        ["Cash deposit", "", "", "", "", "", "", ""],
        ["Numeric keys", "Alphabetic and special character keys", "Command keys", "Function keys", "", "", "", ""],
        [
            "Print, attendant", "Print, cardholder", "Display, attendant", "Display, cardholder", "", "",
            "Code table 10", "Code table 9",
        ],
        [
            "Code table 8", "Code table 7", "Code table 6", "Code table 5", "Code table 4", "Code table 3",
            "Code table 2", "Code table 1",
        ],
    ])
}
