import BERTLV

/// TLV data of any length, decoded as it is read and written as text or JSON.
enum TLVDocument {
    /// - Returns: the problems found.
    static func write(_ input: inout DecodeInput, _ options: DecodeOptions, _ page: OutputPage) -> [DecodeReport
        .Problem]
    {
        options.asJSON ? writeJSON(&input, options, page) : writeText(&input, options, page)
    }

    private static func writeJSON(
        _ input: inout DecodeInput, _ options: DecodeOptions, _ page: OutputPage
    ) -> [DecodeReport.Problem] {
        var writer = JSONObjectWriter(page: page)
        var decoder = ObjectDecoder(reveal: options.reveal)
        writer.page.bytes.append("{\"objects\":[")
        _ = ObjectStream.run(&input, padding: options.padding, &decoder, &writer)
        let problems = decoder.problems.all + input.problems
        writer.page.addJSONEnd(problems, decoder.summary.summary)
        writer.flush(all: true)
        return problems
    }

    private static func writeText(
        _ input: inout DecodeInput, _ options: DecodeOptions, _ page: OutputPage
    ) -> [DecodeReport.Problem] {
        var writer = TextObjectWriter(page: page)
        var decoder = ObjectDecoder(reveal: options.reveal)
        let status = ObjectStream.run(&input, padding: options.padding, &decoder, &writer)
        if let status {
            writer.page.bytes += "Status word \(status.hexDigits)\n".utf8
        }
        let problems = decoder.problems.all + input.problems
        let isEmpty = writer.page.bytes.isEmpty && input.base == 0
        writer.page.addTextEnd(problems, decoder.summary.summary, isEmpty: isEmpty)
        writer.flush(all: true)
        return problems
    }
}

extension UInt16 {
    var hexDigits: String {
        let digits = String(self, radix: 16, uppercase: true)
        return String(repeating: "0", count: 4 - digits.count) + digits
    }
}
