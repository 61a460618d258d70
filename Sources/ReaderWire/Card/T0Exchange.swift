/// Carries one short command APDU over T=0 at TPDU level: maps it to command TPDUs and follows the status words that
/// ask for another command (ISO/IEC 7816-3, 12.2; EMV Book 1, 9.3.1 and annex A).
///
/// At most 16 commands and 65,538 bytes. A value carries one command; make a new one for the next.
public struct T0Exchange: Sendable, Hashable {
    public typealias Action = StatusWordAction

    private enum State: Sendable, Hashable {
        case ready
        case command
        case getResponse
        case finished
    }

    private let command: ShortCommandAPDU
    private var state = State.ready
    private var collector = ResponseCollector()
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
        guard state == .ready else { return fail(.notWaiting) }
        return send(command.transportUnit(expecting: command.expectedLength), then: .command)
    }

    /// - Parameter response: Data, SW1, SW2 as the reader gave them.
    public mutating func receive(_ response: [UInt8]) -> Action {
        guard state == .command || state == .getResponse else { return fail(.notWaiting) }
        do throws(T0Error) {
            return try follow(collector.split(response, maximumLength: Self.maximumResponseLength))
        } catch {
            return fail(error)
        }
    }

    private mutating func follow(_ response: ResponseCollector.Response) throws(T0Error) -> Action {
        switch response.sw1 {
        case 0x61:
            try collector.append(response.data)
            return getResponse(response.sw2)
        case 0x6C where state == .getResponse:
            return getResponse(response.sw2)
        case 0x6C where command.data.isEmpty && command.expectedLength != nil:
            return send(command.transportUnit(expecting: response.sw2), then: .command)
        case 0x62 where mayHaveDataBehindWarning(response), 0x63 where mayHaveDataBehindWarning(response):
            warning = [response.sw1, response.sw2]
            return getResponse(0)
        default:
            return try finish(response)
        }
    }

    /// EMV Book 1, annex A: a case 4 command that ended in a warning has data to fetch.
    private func mayHaveDataBehindWarning(_ response: ResponseCollector.Response) -> Bool {
        state == .command && !command.data.isEmpty && command.expectedLength != nil && response.data.isEmpty
    }

    /// The first warning stands for the whole, unless the rest failed with part of the data missing. An error carries
    /// no data, so that nobody takes a part for the whole.
    private mutating func finish(_ response: ResponseCollector.Response) throws(T0Error) -> Action {
        let isFollowUp = state == .getResponse
        state = .finished
        guard isFollowUp, (0x64...0x6F).contains(response.sw1) else {
            try collector.append(response.data)
            return .complete(collector.data + (warning ?? [response.sw1, response.sw2]))
        }
        if let warning, collector.data.isEmpty { return .complete(warning) }
        return .complete([response.sw1, response.sw2])
    }

    private mutating func getResponse(_ length: UInt8) -> Action {
        send([0x00, 0xC0, 0x00, 0x00, length], then: .getResponse)
    }

    private mutating func send(_ bytes: [UInt8], then next: State) -> Action {
        do throws(T0Error) {
            try collector.countRound()
        } catch {
            return fail(error)
        }
        state = next
        return .send(bytes)
    }

    private mutating func fail(_ error: T0Error) -> Action {
        state = .finished
        return .fail(error)
    }
}
