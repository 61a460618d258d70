extension BitTable {
    /// Tag 95 (Book 3, Annex C5) and the action codes, which have the same bits.
    static let terminalVerificationResults = BitTable(
        [
            [
                "Offline data authentication was not performed", "SDA failed", "ICC data missing",
                "Card appears on terminal exception file", "DDA failed", "CDA failed", "SDA selected",
                "XDA selected (EMV 4.4)",
            ],
            [
                "ICC and terminal have different application versions", "Expired application",
                "Application not yet effective", "Requested service not allowed for card product", "New card", "",
                "Biometric performed and successful (EMV 4.4)", "Biometric template format not supported (EMV 4.4)",
            ],
            [
                "Cardholder verification was not successful", "Unrecognised CVM", "PIN Try Limit exceeded",
                "PIN entry required and PIN pad not present or not working",
                "PIN entry required, PIN pad present, but PIN was not entered", "Online PIN (CVM) entered",
                "Biometric capture failed (EMV 4.4)", "Biometric subtype entry bypassed (EMV 4.4)",
            ],
            [
                "Transaction exceeds floor limit", "Lower consecutive offline limit exceeded",
                "Upper consecutive offline limit exceeded", "Transaction selected randomly for online processing",
                "Merchant forced transaction online", "Biometric Try Limit exceeded (EMV 4.4)",
                "Biometric type not supported (EMV 4.4)", "XDA signature verification failed (EMV 4.4)",
            ],
            [
                "Default TDOL used", "Issuer authentication failed",
                "Script processing failed before final GENERATE AC", "Script processing failed after final GENERATE AC",
                "Reserved for contactless", "CA ECC key missing (EMV 4.4)", "ECC key recovery failed (EMV 4.4)",
                "Reserved for contactless",
            ],
        ], version: "bits as in EMV 4.4")
}
