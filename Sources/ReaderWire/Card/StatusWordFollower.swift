/// Carries one short command APDU through a reader at APDU level that still hands up 61xx and 6Cxx: the first command
/// goes out unchanged, and only these two words are followed (ISO/IEC 7816-4, 5.3.4).
///
/// At most 16 commands and 65,538 bytes. A value carries one command; make a new one for the next.
public struct StatusWordFollower: Sendable, Hashable {
    public typealias Action = StatusWordAction

    private let command: ShortCommandAPDU
    private var course = CommandCourse()

    /// - Throws: `T0Error.malformedAPDU` or `.extendedLength`.
    public init(apdu: [UInt8]) throws(T0Error) {
        command = try ShortCommandAPDU(parsing: apdu)
    }

    /// The command as it was given.
    public mutating func start() -> Action {
        course.start(with: command.bytes(expecting: command.expectedLength))
    }

    /// - Parameter response: Data, SW1, SW2 as the reader gave them.
    public mutating func receive(_ response: [UInt8]) -> Action {
        do throws(T0Error) {
            return try follow(course.accept(response, maximumLength: ResponseCollector.maximumLength))
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
        case 0x6C where command.expectedLength != nil:
            return course.send(command.bytes(expecting: response.sw2))
        case 0x64...0x6F where !course.collector.data.isEmpty:
            // An error carries no data, so that nobody takes a part for the whole.
            return course.complete([response.sw1, response.sw2])
        default:
            try course.keep(response.data)
            return course.complete(course.collector.data + [response.sw1, response.sw2])
        }
    }
}
