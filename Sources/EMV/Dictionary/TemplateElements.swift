import BERTLV

extension DataDictionary {
    /// Objects that hold objects (Book 1, Annex B; Book 3, Annex A). 80 is primitive in form.
    static let templateElements: [DataElement] = [
        DataElement(0x5C, "Tag List", .terminal, .binary, 0...255),
        template(0x61, "Application Template", .card),
        template(0x62, "File Control Parameters (FCP) Template", .card),
        template(0x6F, "File Control Information (FCI) Template", .card),
        template(0x70, "READ RECORD Response Message Template", .card),
        template(0x71, "Issuer Script Template 1", .issuer),
        template(0x72, "Issuer Script Template 2", .issuer),
        template(0x73, "Directory Discretionary Template", .card),
        template(0x77, "Response Message Template Format 2", .card),
        DataElement(0x80, "Response Message Template Format 1", .card, .binary, 0...255),
        template(0xA5, "File Control Information (FCI) Proprietary Template", .card),
        template(0xBF0C, "File Control Information (FCI) Issuer Discretionary Data", .card),
    ]

    private static func template(_ number: UInt64, _ name: String, _ source: DataElement.Source) -> DataElement {
        DataElement(.init(number), name, source, .template, 0...Int.max)
    }
}
