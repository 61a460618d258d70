/// Tag 80: the objects of a response one after another, without tags (Book 3, 6.5.5.4 and 6.5.8.4). The command that was
/// answered is not in the data; its shape tells.
enum ResponseFormat1 {
    /// GET PROCESSING OPTIONS: AIP, AFL.
    case processingOptions
    /// GENERATE AC: CID, ATC, AC (from byte 4) and, if present, IAD (from byte 12).
    case cryptogram

    /// Nil when it is neither.
    init?(_ value: Span<UInt8>) {
        if Self.isFileLocator(value) {
            self = .processingOptions
        } else if (11...43).contains(value.count), value[0] & 0x30 == 0 {
            self = .cryptogram
        } else {
            return nil
        }
    }

    /// Whether all entries behind the AIP are valid ones.
    private static func isFileLocator(_ value: Span<UInt8>) -> Bool {
        guard value.count >= 6, value.count % 4 == 2 else { return false }
        for entry in stride(from: 2, to: value.count, by: 4) {
            let (file, first, last) = (value[entry], value[entry + 1], value[entry + 2])
            guard file & 0x07 == 0, (1...30).contains(file >> 3), first > 0, first <= last,
                value[entry + 3] <= last - first + 1
            else { return false }
        }
        return true
    }
}

extension Meaning {
    mutating func responseFormat1(_ value: Span<UInt8>, _ context: DecodeContext) {
        switch ResponseFormat1(value) {
        case .processingOptions:
            text("AIP and AFL")
            let profile = value.extracting(0..<2)
            put("AIP ")
            put(hex: profile)
            endLine()
            BitTable.applicationInterchangeProfile.writeLines(profile, into: &self)
            fileLocator(value.extracting(2..<value.count))
        case .cryptogram:
            let hasIssuerData = value.count > 11
            text(hasIssuerData ? "CID, ATC, AC, IAD" : "CID, ATC, AC")
            put("CID ")
            put(hex: value[0])
            put(" ")
            line(Self.cryptogramType(value[0]))
            put("ATC ")
            put(hex: value.extracting(1..<3))
            endLine()
            put("AC ")
            put(hex: value.extracting(3..<11))
            endLine()
            if hasIssuerData { nestedIssuerData(value.extracting(11..<value.count), context) }
        case nil:
            return
        }
    }

    /// What would be the text of tag 9F10 becomes part of a line.
    private mutating func nestedIssuerData(_ value: Span<UInt8>, _ context: DecodeContext) {
        var inner = Meaning()
        inner.issuerApplicationData(value, context)
        put("IAD ")
        put(hex: value)
        put(": ")
        append(inner)
    }
}
