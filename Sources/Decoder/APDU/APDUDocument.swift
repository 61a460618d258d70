import BERTLV
import EMV

/// A log of commands and responses of any length, decoded exchange by exchange.
enum APDUDocument {
    static func write(
        _ input: inout LineInput, _ options: DecodeOptions, _ page: OutputPage
    ) -> [DecodeReport.Problem] {
        var reader = ExchangeReader(options: options, printer: ExchangePrinter(page, options))
        while let (line, offset, isCut) = input.next() {
            reader.take(line, offset, isCut: isCut)
        }
        return reader.finish()
    }
}

/// Pairs commands with responses and follows the card through them.
private struct ExchangeReader {
    let options: DecodeOptions
    var printer: ExchangePrinter
    private var log = APDULog()
    private var session = CardSession()
    private var decoder: ObjectDecoder
    private var pending: APDULog.Piece?

    init(options: DecodeOptions, printer: ExchangePrinter) {
        self.options = options
        self.printer = printer
        decoder = ObjectDecoder(reveal: options.reveal)
        self.printer.begin()
    }

    mutating func take(_ line: [UInt8], _ offset: Int, isCut: Bool) {
        if isCut { report(.lineTooLong, "a line of more than \(LineInput.longest) characters is cut", offset) }
        switch log.read(line, offset: offset) {
        case .command(let command):
            finishPending()
            pending = command
        case .response(let response):
            guard let command = pending else {
                report(.commandMissing, "a response without a command", response.places.first ?? offset)
                return
            }
            pending = nil
            exchange(command, response)
        case .exchange(let command, let response):
            finishPending()
            exchange(command, response)
        case .other: return
        case .unknown: report(.notAPDU, "a line that is neither a command nor a response", offset)
        }
    }

    mutating func finish() -> [DecodeReport.Problem] {
        finishPending()
        let problems = decoder.problems.all
        printer.end(problems, decoder.summary.summary)
        return problems
    }

    private mutating func finishPending() {
        guard let command = pending else { return }
        pending = nil
        exchange(command, nil)
    }

    private mutating func exchange(_ command: APDULog.Piece, _ response: APDULog.Piece?) {
        var exchange = Exchange(command: command, response: response)
        let place = command.places.first ?? 0
        if exchange.layout == nil {
            report(.commandLength, "the length of the command does not fit its data", place)
        }
        if response == nil {
            report(.responseMissing, "a command without a response", place)
        } else if exchange.status?.isValid != true {
            report(
                .statusInvalid, "the response does not end with a status word", response?.places.first ?? place)
        }
        if exchange.name == "SELECT" { session.select() }
        if let (list, data) = session.list(ins: exchange.ins, data: exchange.data) {
            if let fields = CardSession.fields(list, data) {
                exchange.fields = fields
            } else {
                report(
                    .dolLength, "\(exchange.name): the data does not have the length that the card's list asks for",
                    place)
            }
        }
        if exchange.name == "GENERATE AC", exchange.status?.sw1 == 0x6C { session.repeatCryptogram() }
        session.take(exchange.responseData)
        printer.write(exchange, &decoder)
        decoder.problems.endGroup()
    }

    private mutating func report(_ code: DecodeReport.Problem.Code, _ message: String, _ offset: Int) {
        decoder.problems.add(.init(offset: offset, code: code, message: message), at: offset)
    }
}
