import EMV

extension Meaning {
    /// Text that EMV limits to ASCII.
    mutating func plainText(_ value: Span<UInt8>) {
        guard isASCII(value) else {
            put(hex: value)
            text(" (bytes outside ASCII)")
            return
        }
        put(text: value.extracting(trimmedRange(value)))
        endText()
    }

    /// Tag 50. Some cards write it in the code table of tag 9F11 all the same.
    mutating func label(_ value: Span<UInt8>, _ context: DecodeContext) {
        plainText(value)
        if !isASCII(value), let table = context.codeTable,
            let text = CardText.iso8859(array(value.extracting(trimmedRange(value))), part: table)
        {
            put("read as ISO 8859-")
            put(table)
            put(": ")
            put(text)
            endLine()
        }
    }

    /// Tag 9F12, in the code table of tag 9F11.
    mutating func preferredName(_ value: Span<UInt8>, _ context: DecodeContext) {
        if !isASCII(value), let table = context.codeTable,
            let text = CardText.iso8859(array(value.extracting(trimmedRange(value))), part: table)
        {
            put(text)
            endText()
            return
        }
        plainText(value)
    }

    /// An application by its AID.
    mutating func application(_ value: Span<UInt8>) {
        if let name = ApplicationName.name(value) {
            text(name)
        } else if isASCII(value) {
            put(text: value)
            endText()
        }
    }
}
