extension Candidate {
    /// What a receipt and a screen show.
    public var displayName: String {
        CardText.applicationName(preferred: preferredName, codeTableIndex: codeTableIndex, label: label)
    }
}

extension CardText {
    /// What a receipt and a screen show of an application (Book 4, 11.3): the preferred name (9F12) where its code table
    /// (9F11) is one we can print, else the label (50), else nothing.
    public static func applicationName(preferred: [UInt8], codeTableIndex: UInt8?, label: [UInt8]) -> String {
        if let codeTableIndex, !preferred.isEmpty, let text = iso8859(preferred, part: Int(codeTableIndex)) {
            return trimmed(text)
        }
        return trimmed(ascii(label) ?? "")
    }
}
