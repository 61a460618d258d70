/// Carries one short command APDU through a reader at APDU level that still hands up 61xx and 6Cxx: the first command
/// goes out unchanged, and only these two words are followed (ISO/IEC 7816-4, 5.3.4).
///
/// At most 16 commands and 65,538 bytes. A value carries one command; make a new one for the next.
public struct StatusWordFollower: Sendable, Hashable {
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

    /// - Throws: `T0Error.malformedAPDU` or `.extendedLength`.
    public init(apdu: [UInt8]) throws(T0Error) {
        command = try ShortCommandAPDU(parsing: apdu)
    }

    /// The command as it was given.
    public mutating func start() -> Action {
        guard state == .ready else { return fail(.notWaiting) }
        return send(command.bytes(expecting: command.expectedLength), then: .command)
    }

    /// - Parameter response: Data, SW1, SW2 as the reader gave them.
    public mutating func receive(_ response: [UInt8]) -> Action {
        guard state == .command || state == .getResponse else { return fail(.notWaiting) }
        do throws(T0Error) {
            return try follow(collector.split(response, maximumLength: ResponseCollector.maximumLength))
        } catch {
            return fail(error)
        }
    }

    private mutating func follow(_ response: ResponseCollector.Response) throws(T0Error) -> Action {
        switch response.sw1 {
        case 0x61:
            try collector.append(response.data)
            return send([0x00, 0xC0, 0x00, 0x00, response.sw2], then: .getResponse)
        case 0x6C where state == .getResponse:
            return send([0x00, 0xC0, 0x00, 0x00, response.sw2], then: .getResponse)
        case 0x6C where command.expectedLength != nil:
            return send(command.bytes(expecting: response.sw2), then: .command)
        case 0x64...0x6F where !collector.data.isEmpty:
            // An error carries no data, so that nobody takes a part for the whole.
            state = .finished
            return .complete([response.sw1, response.sw2])
        default:
            try collector.append(response.data)
            state = .finished
            return .complete(collector.data + [response.sw1, response.sw2])
        }
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
