import BERTLV

extension DataDictionary {
    /// Private data objects of readers. Another vendor may use the same tags for other things, so each name says whose
    /// it is: NEO2 (ID TECH ViVOtech2), MPI (Miura, and Verifone's VIPA).
    static let readerElements: [DataElement] = [
        vendor(0xDF52, "CVM Performed (NEO2)"),
        vendor(0xDFEE12, "Key Serial Number (NEO2)"),
        vendor(0xDFEE23, "Magnetic Stripe Data (NEO2)"),
        vendor(0xDFEE25, "Result Code (NEO2)"),
        vendor(0xDFEE26, "Encryption Information (NEO2)"),
        vendor(0xDFEE30, "Card Interface (NEO2)"),
        vendor(0xDFEE7E, "Burst Mode (NEO2)"),
        vendor(0xDFEF37, "Interface Mask (NEO2)"),
        template(0xFFEE01, "Reader Data Group (NEO2)"),
        template(0xFFEE1F, "Failure Information (NEO2)"),
        vendor(0xC4, "Status Text (MPI)"),
        vendor(0xDFAE02, "Encrypted Data (MPI)"),
        vendor(0xDFAE03, "Key Serial Number (MPI)"),
        vendor(0xDFAE22, "Masked Track 2 (MPI)"),
        vendor(0xDFAE56, "Track 1 Data (MPI)"),
        vendor(0xDFAE57, "Track 2 Equivalent Data (MPI)"),
        vendor(0xDFAE5A, "Application Primary Account Number (PAN) (MPI)"),
        template(0xE0, "Host Request (MPI)"),
        template(0xE1, "Card Data (MPI)"),
        template(0xE2, "Decision Request (MPI)"),
        template(0xE3, "Approved (MPI)"),
        template(0xE4, "Online Authorisation Request (MPI)"),
        template(0xE5, "Declined (MPI)"),
        template(0xE6, "Device Status (MPI)"),
        template(0xEA, "Decision Request (VIPA)"),
    ]

    private static func vendor(_ number: UInt64, _ name: String) -> DataElement {
        DataElement(.init(number), name, .terminal, .binary, 0...Int.max, ambiguous: true)
    }

    private static func template(_ number: UInt64, _ name: String) -> DataElement {
        DataElement(.init(number), name, .terminal, .template, 0...Int.max)
    }
}
