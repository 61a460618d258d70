extension Receipt {
    /// Plain text of 42 columns, as receipt printers have them; longer values go on a line of their own.
    public func text(copy: ReceiptCopy, language: DisplayLanguage) -> String {
        let width = 42
        let wording = ReceiptWording(language: language)
        func centred(_ text: String) -> String {
            String(repeating: " ", count: max(0, (width - text.count) / 2)) + text
        }
        let rule = String(repeating: "-", count: width)
        let marks = wording.marks(self).map { centred("*** \($0) ***") }
        var lines =
            [centred(merchantName.withoutControls)] + marks
            + [centred("\(wording.title(self)) - \(wording.verdict(self))"), centred(wording.copy(copy)), rule]
        for (label, unsafe) in wording.lines(self) {
            let value = unsafe.withoutControls
            let gap = width - label.count - value.count
            if gap >= 1 {
                lines.append(label + String(repeating: " ", count: gap) + value)
            } else {
                lines += [label, "  " + value]
            }
        }
        if let label = wording.signature(self, copy) {
            lines += ["", "", label + " " + String(repeating: "_", count: width - label.count - 1)]
        }
        lines.append(rule)
        lines += marks
        return lines.joined(separator: "\n") + "\n"
    }

    /// One self-contained page without outside resources.
    public func html(copy: ReceiptCopy, language: DisplayLanguage) -> String {
        let wording = ReceiptWording(language: language)
        let rows = wording.lines(self).map { label, value in
            "<tr><th>\(label.htmlEscaped)</th><td>\(value.htmlEscaped)</td></tr>"
        }
        let marks = wording.marks(self).map { "<p style=\"border:2px solid\"><strong>\($0.htmlEscaped)</strong></p>\n" }
            .joined()
        let signature =
            wording.signature(self, copy).map {
                "<p style=\"margin-top:4em;border-top:1px solid\">\($0.htmlEscaped)</p>\n"
            } ?? ""
        return """
            <!DOCTYPE html>
            <html lang="\(language.rawValue)">
            <meta charset="utf-8">
            <title>\(wording.title(self)) \(transactionID.htmlEscaped)</title>
            <style>body{font-family:sans-serif;max-width:24em;margin:1em auto}th{text-align:left;padding-right:1em}
            td{text-align:right;overflow-wrap:anywhere}</style>
            <h1>\(merchantName.htmlEscaped)</h1>
            \(marks)<p>\(wording.title(self)) - \(wording.verdict(self))<br>\(wording.copy(copy))</p>
            <table>
            \(rows.joined(separator: "\n"))
            </table>
            \(signature)</html>

            """
    }
}

extension String {
    /// A caller's text must neither steer a printer or terminal nor look like a line of its own.
    fileprivate var withoutControls: String {
        var text = ""
        for scalar in unicodeScalars {
            let category = scalar.properties.generalCategory
            let isControl = [.control, .format, .lineSeparator, .paragraphSeparator].contains(category)
            text.unicodeScalars.append(isControl ? " " : scalar)
        }
        return text
    }

    fileprivate var htmlEscaped: String {
        var text = ""
        for character in withoutControls.unicodeScalars {
            switch character {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "\"": text += "&quot;"
            default: text.unicodeScalars.append(character)
            }
        }
        return text
    }
}
