/// Carries one short command APDU over T=0 at TPDU level: maps it to command TPDUs and follows the status words that
/// ask for another command (ISO/IEC 7816-3, 12.2; EMV Book 1, 9.3.1 and annex A).
///
/// At most 16 commands and 65,538 bytes. A value carries one command; make a new one for the next.
public struct T0Exchange: Sendable, Hashable {
    public typealias Action = StatusWordAction

    private let command: ShortCommandAPDU
    private var course = CommandCourse()
    /// The 62xx or 63xx that a case 4 command gave before its data.
    private var warning: [UInt8]?

    /// SW and at most 256 bytes.
    private static let maximumResponseLength = 258

    /// - Throws: `T0Error.malformedAPDU` or `.extendedLength`.
    public init(apdu: [UInt8]) throws(T0Error) {
        command = try ShortCommandAPDU(parsing: apdu)
    }

    /// The first command TPDU.
    public mutating func start() -> Action {
        course.start(with: command.transportUnit(expecting: command.expectedLength))
    }

    /// - Parameter response: Data, SW1, SW2 as the reader gave them.
    public mutating func receive(_ response: [UInt8]) -> Action {
        do throws(T0Error) {
            return try follow(course.accept(response, maximumLength: Self.maximumResponseLength))
        } catch {
            return course.fail(error)
        }
    }

    private mutating func follow(_ response: ResponseCollector.Response) throws(T0Error) -> Action {
        switch response.sw1 {
        case 0x61:
            try course.keep(response.data)
            return course.getResponse(response.sw2)
        case 0x6C where course.phase == .getResponse:
            return course.getResponse(response.sw2)
        case 0x6C where command.data.isEmpty && command.expectedLength != nil:
            return course.send(command.transportUnit(expecting: response.sw2))
        case 0x62 where mayHaveDataBehindWarning(response), 0x63 where mayHaveDataBehindWarning(response):
            warning = [response.sw1, response.sw2]
            return course.getResponse(0)
        default:
            return try finish(response)
        }
    }

    /// EMV Book 1, annex A: a case 4 command that ended in a warning has data to fetch.
    private func mayHaveDataBehindWarning(_ response: ResponseCollector.Response) -> Bool {
        course.phase == .command && !command.data.isEmpty && command.expectedLength != nil && response.data.isEmpty
    }

    /// The first warning stands for the whole, unless the rest failed with part of the data missing. An error carries
    /// no data, so that nobody takes a part for the whole.
    private mutating func finish(_ response: ResponseCollector.Response) throws(T0Error) -> Action {
        guard course.phase == .getResponse, (0x64...0x6F).contains(response.sw1) else {
            try course.keep(response.data)
            return course.complete(course.collector.data + (warning ?? [response.sw1, response.sw2]))
        }
        if let warning, course.collector.data.isEmpty { return course.complete(warning) }
        return course.complete([response.sw1, response.sw2])
    }
}
