import BERTLV
import EMV
import JSONText

/// Writes exchanges as JSON or as text for people.
struct ExchangePrinter {
    private var json: JSONObjectWriter?
    private var text: TextObjectWriter?
    private let options: DecodeOptions
    private var isFirst = true

    init(_ page: OutputPage, _ options: DecodeOptions) {
        self.options = options
        if options.asJSON {
            json = JSONObjectWriter(page: page)
        } else {
            text = TextObjectWriter(page: page, indent: 2)
        }
    }

    mutating func begin() { json?.page.bytes.append("{\"exchanges\":[") }

    mutating func end(_ problems: [DecodeReport.Problem], _ summary: DecodeReport.Summary) {
        json?.page.addJSONEnd(problems, summary)
        json?.flush(all: true)
        text?.page.addTextEnd(problems, summary, isEmpty: isFirst)
        text?.flush(all: true)
    }

    mutating func write(_ exchange: Exchange, _ decoder: inout ObjectDecoder) {
        if json != nil { writeJSON(exchange, &decoder) } else { writeText(exchange, &decoder) }
        isFirst = false
    }

    private mutating func writeJSON(_ exchange: Exchange, _ decoder: inout ObjectDecoder) {
        // Taken out, so that writing does not copy what was written before.
        guard var writer = json.take() else { return }
        if !isFirst { writer.page.bytes.append(",") }
        writer.page.bytes.append("{\"command\":")
        writer.page.addJSON(command(exchange))
        writer.page.bytes.append(",\"response\":")
        writer.page.addJSON(response(exchange))
        writer.page.bytes.append(",\"name\":")
        writer.page.addJSON(.string(exchange.name))
        writer.page.bytes.append(",\"objects\":[")
        writer.startArray()
        decode(exchange, &decoder, &writer)
        writer.page.bytes.append("],\"dol\":")
        let fields = exchange.fields.map { field in
            JSONValue.object([
                "tag": .string(field.tag.description), "name": .string(DataDictionary.name(of: field.tag)),
                "value": hides(field) ? .null : .string(hexText(field.value)),
            ])
        }
        writer.page.addJSON(.array(fields))
        writer.page.bytes.append("}")
        writer.flush(all: false)
        json = writer
    }

    private func command(_ exchange: Exchange) -> JSONValue {
        let bytes = exchange.command.bytes
        var members: [JSONValue.Member] = [
            .init("offset", .integer(Int64(exchange.command.places.first ?? 0)))
        ]
        for (name, place) in [("cla", 0), ("ins", 1), ("p1", 2), ("p2", 3)] where place < bytes.count {
            members.append(.init(name, .string(hexText([bytes[place]]))))
        }
        let data = exchange.data
        members.append(.init("lc", .integer(Int64(data.count))))
        members.append(.init("data", hidesCommand(exchange) ? .null : .string(hexText(data))))
        members.append(.init("le", exchange.layout?.expected.map { .integer(Int64($0)) } ?? .null))
        members.append(.init("text", .optional(exchange.remark)))
        return .object(members)
    }

    private func response(_ exchange: Exchange) -> JSONValue {
        guard let response = exchange.response else { return .null }
        let data = exchange.responseData
        return .object([
            "offset": .integer(Int64(response.places.first ?? 0)),
            "data": hidesResponse(data) ? .null : .string(hexText(data)),
            "sw": .optional(exchange.status?.description),
            "text": .optional(exchange.status.map(StatusWordName.name)),
        ])
    }

    private mutating func writeText(_ exchange: Exchange, _ decoder: inout ObjectDecoder) {
        guard var writer = text.take() else { return }
        if !isFirst { writer.page.bytes.append("\n") }
        let header = hexText(exchange.command.bytes.prefix(4))
        let remark = exchange.remark.map { " (\($0))" } ?? ""
        writer.page.bytes += "\(exchange.name)\(remark): \(header)".utf8
        let data = exchange.data
        if !data.isEmpty {
            writer.page.bytes += (hidesCommand(exchange) ? " (masked, \(data.count) bytes)" : " \(hexText(data))").utf8
        }
        writer.page.bytes.append("\n")
        for field in exchange.fields {
            let hides = hides(field)
            let shown = hides ? "(masked, \(field.value.count) bytes)" : hexText(field.value)
            writer.page.bytes += "  \(field.tag) \(DataDictionary.name(of: field.tag)): \(shown)".utf8
            if !hides, let text = decoder.text(of: field.tag, field.value) {
                writer.page.bytes.append(" = ")
                writer.page.addPrintable(text)
            }
            writer.page.bytes.append("\n")
        }
        if let status = exchange.status {
            writer.page.bytes += "  < \(status) \(StatusWordName.name(status))\n".utf8
        } else {
            writer.page.bytes += (exchange.response == nil ? "  < no response\n" : "  < no status word\n").utf8
        }
        decode(exchange, &decoder, &writer)
        writer.flush(all: false)
        text = writer
    }

    /// The objects of the response; problems get their places in the input.
    private func decode(_ exchange: Exchange, _ decoder: inout ObjectDecoder, _ writer: inout some ObjectWriter) {
        let data = exchange.responseData
        guard !data.isEmpty, exchange.name != "GET CHALLENGE" else { return }
        // What stands in tag 80 of an answer to INTERNAL AUTHENTICATE is a signature, and has no other shape.
        let places = exchange.response?.places ?? []
        decoder.problems.endGroup()
        var input = DecodeInput(data)
        _ = ObjectStream.run(&input, padding: options.padding, splitsStatusWord: false, &decoder, &writer) { offset in
            offset < places.count ? places[offset] : (places.last ?? 0) + 2
        }
    }

    private func hidesCommand(_ exchange: Exchange) -> Bool {
        guard !options.reveal else { return false }
        return exchange.isSecret || exchange.fields.contains(where: hides)
            || CardDataScan.mayHoldPAN(exchange.data.span)
    }

    private func hidesResponse(_ data: [UInt8]) -> Bool {
        !options.reveal && (CardDataScan.mayHoldPAN(data.span) || CardObjects.areHidden(data, options))
    }

    private func hides(_ field: CardSession.Field) -> Bool {
        guard !options.reveal else { return false }
        return SensitiveTag.contains(field.tag) || Masking.mustHide(field.tag, field.value.span, isText: false)
    }
}
