extension Candidate {
    /// What a receipt and a screen show (Book 4, 11.3): the preferred name where its code table is one we can print, else
    /// the label, else nothing.
    public var displayName: String {
        if let codeTableIndex, !preferredName.isEmpty,
            let text = CardText.iso8859(preferredName, part: Int(codeTableIndex))
        {
            return CardText.trimmed(text)
        }
        return CardText.trimmed(CardText.ascii(label) ?? "")
    }
}
