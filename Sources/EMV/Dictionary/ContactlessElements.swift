import BERTLV

extension DataDictionary {
    /// Data objects of contactless cards of one byte or two. Schemes use these tags for different things, so the names
    /// say whose they are (EMV Contactless Books C-2 and C-3, Annex A).
    static let contactlessElements: [DataElement] = [
        scheme(0x9F50, "Offline Accumulator Balance (Mastercard) or Cardholder Verification Status (Visa)", 0...32),
        scheme(0x9F51, "DRDOL (Mastercard) or Application Currency Code (Visa)", 0...252),
        scheme(0x9F52, "Application Default Action (Visa)", 0...32),
        scheme(0x9F54, "DS ODS Card (Mastercard) or Cumulative Total Transaction Amount Limit (Visa)", 0...160),
        scheme(0x9F56, "Issuer Authentication Indicator (Visa)", 0...32),
        scheme(0x9F57, "Issuer Country Code (Visa)", 2...2),
        scheme(0x9F58, "Consecutive Transaction Counter Limit (Visa)", 0...32),
        scheme(0x9F59, "Consecutive Transaction Counter Upper Limit (Visa)", 0...32),
        scheme(0x9F5A, "Application Program Identifier (Visa)", 0...16),
        scheme(0x9F5C, "DS Requested Operator ID (Mastercard)", 0...8),
        scheme(0x9F5E, "DS ID (Mastercard)", 0...11),
        scheme(0x9F5F, "DS Slot Availability (Mastercard)", 0...1),
        scheme(0x9F60, "CVC3 (Track 1)", 0...2),
        scheme(0x9F61, "CVC3 (Track 2)", 0...2),
        scheme(0x9F62, "PCVC3 (Track 1)", 0...6),
        scheme(0x9F63, "PUNATC (Track 1)", 0...6),
        scheme(0x9F64, "NATC (Track 1)", 0...1),
        scheme(0x9F65, "PCVC3 (Track 2)", 0...2),
        scheme(0x9F67, "NATC (Track 2)", 0...1),
        scheme(0x9F68, "Card Additional Processes (Visa)", 0...4),
        scheme(0x9F69, "UDOL (Mastercard) or Card Authentication Related Data (Visa)", 0...252),
        scheme(0x9F6A, "Unpredictable Number (Numeric)", 0...4),
        scheme(0x9F6F, "DS Slot Management Control (Mastercard)", 0...1),
        scheme(0x9F70, "Protected Data Envelope 1", 0...192),
        scheme(0x9F71, "Protected Data Envelope 2", 0...192),
        scheme(0x9F72, "Protected Data Envelope 3", 0...192),
        scheme(0x9F73, "Protected Data Envelope 4", 0...192),
        scheme(0x9F74, "Protected Data Envelope 5 or VLP Issuer Authorisation Code (Visa)", 0...192),
        scheme(0x9F75, "Unprotected Data Envelope 1", 0...192),
        scheme(0x9F76, "Unprotected Data Envelope 2", 0...192),
        scheme(0x9F77, "Unprotected Data Envelope 3", 0...192),
        scheme(0x9F78, "Unprotected Data Envelope 4", 0...192),
        scheme(0x9F79, "Unprotected Data Envelope 5", 0...192),
        scheme(0x9F7D, "DS Summary 1 (Mastercard)", 0...16),
        scheme(0x9F7E, "Mobile Support Indicator", 0...1),
        scheme(0x9F7F, "DS Unpredictable Number (Mastercard) or Card Production Life Cycle Data", 0...48),
        scheme(0x9F2A, "Kernel Identifier", 1...8),
        scheme(0x9F29, "Extended Selection", 0...16),
        DataElement(0x4D, "DS Directory Entry", .card, .binary, 0...255, ambiguous: true),
    ]

    private static func scheme(_ number: UInt64, _ name: String, _ lengths: ClosedRange<Int>) -> DataElement {
        DataElement(.init(number), name, [.card, .terminal], .binary, lengths, ambiguous: true)
    }
}
