import BERTLV
import EMV
import JSONText

/// The frames of a reader protocol in an input of any length, each decoded as it is read; noise between is a problem.
enum FrameDocument {
    static func write(
        _ input: inout DecodeInput, _ codec: some FrameCodec, _ options: DecodeOptions, _ page: OutputPage
    ) -> [DecodeReport.Problem] {
        var codec = codec
        var decoder = ObjectDecoder(reveal: options.reveal)
        var printer = FramePrinter(page, options)
        printer.begin()
        var noise: Int?
        var position = 0
        input.advance(dropping: 0, needed: DecodeInput.windowSize)
        while true {
            if position == input.count {
                if input.isAtEnd { break }
                printer.flush(all: true)
                input.advance(dropping: position, needed: 1)
                position = 0
                continue
            }
            let match = codec.match(
                input.storage.span.extracting(0..<input.count), at: position, isAtEnd: input.isAtEnd)
            switch match {
            case .noise:
                noise = noise ?? input.base + position
                position += 1
            case .needsMore(let upTo):
                printer.flush(all: true)
                input.advance(dropping: position, needed: upTo - position)
                position = 0
            case .frame(let length, let isGood):
                let offset = input.base + position
                report(noise, upTo: offset, &decoder)
                noise = nil
                if !isGood, let longest = codec.longestChecked {
                    // All of a good frame that begins in this one must be there to be seen.
                    if !input.isAtEnd, input.count < position + length + longest {
                        printer.flush(all: true)
                        input.advance(dropping: position, needed: length + longest)
                        position = 0
                    }
                    let window = input.storage.span.extracting(0..<input.count)
                    if let inner = goodFrame(codec, in: window, position + 1..<position + length) {
                        noise = offset
                        position = inner
                        continue
                    }
                }
                let frame = input.storage.span.extracting(position..<position + length)
                let description = codec.describe(frame)
                if let fault = description.fault {
                    decoder.problems.add(.init(offset: offset, code: .frameBad, message: fault), at: offset)
                }
                printer.write(frame, offset, isGood, description, codec.protocolName, &decoder)
                decoder.problems.endGroup()
                position += length
            }
        }
        report(noise, upTo: input.base + position, &decoder)
        let problems = decoder.problems.all + input.problems
        printer.end(problems, decoder.summary.summary)
        return problems
    }

    /// Where a whole good frame begins within a bad one.
    private static func goodFrame(_ codec: some FrameCodec, in bytes: Span<UInt8>, _ places: Range<Int>) -> Int? {
        for inner in places {
            if case .frame(_, true) = codec.match(bytes, at: inner, isAtEnd: true) { return inner }
        }
        return nil
    }

    private static func report(_ start: Int?, upTo end: Int, _ decoder: inout ObjectDecoder) {
        guard let start else { return }
        decoder.problems.add(
            .init(offset: start, code: .noise, message: "\(end - start) bytes that are no frame"), at: start)
    }
}

/// Writes frames as JSON or as text for people.
private struct FramePrinter {
    private var json: JSONObjectWriter?
    private var text: TextObjectWriter?
    private let options: DecodeOptions
    private var isFirst = true

    init(_ page: OutputPage, _ options: DecodeOptions) {
        self.options = options
        if options.asJSON {
            json = JSONObjectWriter(page: page)
        } else {
            text = TextObjectWriter(page: page, indent: 1)
        }
    }

    mutating func begin() { json?.page.bytes.append("{\"frames\":[") }

    mutating func flush(all: Bool) {
        json?.flush(all: all)
        text?.flush(all: all)
    }

    mutating func end(_ problems: [DecodeReport.Problem], _ summary: DecodeReport.Summary) {
        json?.page.addJSONEnd(problems, summary)
        text?.page.addTextEnd(problems, summary, isEmpty: isFirst)
        flush(all: true)
    }

    mutating func write(
        _ frame: Span<UInt8>, _ offset: Int, _ isGood: Bool, _ description: FrameDescription, _ protocolName: String,
        _ decoder: inout ObjectDecoder
    ) {
        let data = array(frame.extracting(description.data))
        let objects = description.objects.map { (array(frame.extracting($0)), offset + $0.lowerBound) }
        let hides = Self.hides(data, objects?.0, description, options)
        if let end = description.cardEnd { decoder.takeMasked(cardEnd: end) }
        // Taken out, so that writing does not copy what was written before.
        if var writer = json.take() {
            if !isFirst { writer.page.bytes.append(",") }
            let head: [JSONValue.Member] = [
                .init("offset", .integer(Int64(offset))), .init("length", .integer(Int64(frame.count))),
                .init("protocol", .string(protocolName)),
                .init("direction", .string(description.direction.rawValue)), .init("name", .string(description.name)),
                .init("fields", .object(description.fields)), .init("data", hides ? .null : .string(hexText(data))),
                .init("check", isGood ? "ok" : "bad"),
            ]
            writer.page.bytes.append("{")
            writer.page.addJSON(.object(head), isInside: true)
            writer.page.bytes.append(",\"objects\":[")
            writer.startArray()
            if let objects { Self.decode(objects, options, &decoder, &writer) }
            if let joined = description.joined { Self.decode(joined, at: offset, options, &decoder, &writer) }
            writer.page.bytes.append("]}")
            writer.flush(all: false)
            json = writer
        }
        if var writer = text.take() {
            var line = "\(offset) \(description.direction.rawValue) \(description.name)"
            for field in description.fields { line += ", \(field.key) \(Self.plain(field.value))" }
            if !isGood { line += ", BAD" }
            writer.page.bytes += (line + "\n").utf8
            if !data.isEmpty {
                let shown = hides ? "(masked, \(data.count) bytes)" : hexText(data)
                writer.page.bytes += "  \(shown)\n".utf8
            }
            if let objects { Self.decode(objects, options, &decoder, &writer) }
            if let joined = description.joined { Self.decode(joined, at: offset, options, &decoder, &writer) }
            writer.flush(all: false)
            text = writer
        }
        isFirst = false
    }

    private static func decode(
        _ objects: (bytes: [UInt8], offset: Int), _ options: DecodeOptions, _ decoder: inout ObjectDecoder,
        _ writer: inout some ObjectWriter
    ) {
        var input = DecodeInput(objects.bytes, base: objects.offset)
        _ = ObjectStream.run(&input, padding: options.padding, &decoder, &writer)
    }

    /// The objects of a message in several frames: their offsets count in the message, and problems are told at its last
    /// frame.
    private static func decode(
        _ joined: (bytes: [UInt8], objects: Range<Int>), at offset: Int, _ options: DecodeOptions,
        _ decoder: inout ObjectDecoder, _ writer: inout some ObjectWriter
    ) {
        var input = DecodeInput(Array(joined.bytes[joined.objects]), base: joined.objects.lowerBound)
        _ = ObjectStream.run(&input, padding: options.padding, splitsStatusWord: false, &decoder, &writer) { _ in offset
        }
    }

    private static func hides(
        _ data: [UInt8], _ objects: [UInt8]?, _ description: FrameDescription, _ options: DecodeOptions
    ) -> Bool {
        if options.reveal { return false }
        if description.isSecret || CardDataScan.mayHoldPAN(data.span) { return true }
        return objects.map { CardObjects.areHidden($0, options) } ?? false
    }

    private static func plain(_ value: JSONValue) -> String {
        if case .string(let text) = value { text } else { value.compactText }
    }
}

/// Whether data objects hold anything that is masked.
enum CardObjects {
    static func areHidden(_ bytes: [UInt8], _ options: DecodeOptions) -> Bool {
        let report = DecodeReport(tlv: bytes, options: options)
        return report.objects.contains { $0.value == nil }
    }
}
