import BERTLV

extension Meaning {
    /// CDOL1, CDOL2, PDOL, DDOL, TDOL and the log format (Book 3, 5.4).
    mutating func objectList(_ value: Span<UInt8>) {
        var counting = DataObjectListReader()
        var total = 0
        while let entry = counting.next(in: value) { total += entry.length }
        put(byteCount: total)
        text(" asked for")
        var reader = DataObjectListReader()
        while let entry = reader.next(in: value) {
            put(tag: entry.tag)
            put(" ")
            put(nameOf: entry.tag)
            put(", ")
            put(byteCount: entry.length)
            endLine()
        }
        if let error = reader.error {
            let message = "malformed at its byte \(error.offset): \(error.code.rawValue)"
            put(message)
            endLine()
            faults.append(Fault(code: .dolMalformed, message: .sentence(message)))
        }
    }

    /// A list of tags without lengths: the SDA tag list, or tag 5C. Zeros between and behind are ignored.
    mutating func tagList(_ value: Span<UInt8>) {
        var position = 0
        while position < value.count {
            let first = value[position]
            guard first != 0x00 else {
                position += 1
                continue
            }
            var number = UInt64(first)
            var count = 1
            if first & 0x1F == 0x1F {
                repeat {
                    guard position + count < value.count, count < 8 else { return line("ends inside a tag") }
                    number = number << 8 | UInt64(value[position + count])
                    count += 1
                } while value[position + count - 1] & 0x80 != 0
            }
            put(tag: Tag(number))
            put(" ")
            put(nameOf: Tag(number))
            endLine()
            position += count
        }
    }

    /// Tag 94 (Book 3, 10.2): entries of four bytes.
    mutating func fileLocator(_ value: Span<UInt8>) {
        for entry in stride(from: 0, to: value.count - 3, by: 4) {
            put("SFI ")
            put(Int(value[entry] >> 3))
            put(", records ")
            put(Int(value[entry + 1]))
            put(" to ")
            put(Int(value[entry + 2]))
            let signed = Int(value[entry + 3])
            if signed == 0 {
                put(", none")
            } else {
                put(", the first ")
                put(signed)
            }
            line(" for offline data authentication")
        }
    }

    /// Tag 9F4D: where the transaction log is.
    mutating func logEntry(_ value: Span<UInt8>) {
        put("SFI ")
        put(Int(value[0]))
        put(", at most ")
        put(Int(value[1]))
        text(" records")
    }

    /// Tag 5F2D: language codes of two letters.
    mutating func languages(_ value: Span<UInt8>) {
        for position in stride(from: 0, to: value.count - 1, by: 2) {
            if position > 0 { put(", ") }
            let (first, second) = (value[position] | 0x20, value[position + 1] | 0x20)
            guard let key = CodeTable.key(first, second) else { return text("not letters") }
            put(ascii: first)
            put(ascii: second)
            CodeTable.languages.withLine(of: key) { name in
                put(" ")
                put(UnsafeBufferPointer(rebasing: name))
            }
        }
        endText()
    }
}
