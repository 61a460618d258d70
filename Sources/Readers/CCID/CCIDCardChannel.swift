import ReaderWire
import Transport

/// How APDUs travel to the card that is powered now: by the reader's exchange level and the card's protocol.
enum CCIDCardChannel: Sendable {
    /// The reader's firmware does everything.
    case apdu(isExtended: Bool)
    /// TPDU level, T=0: we correct lengths and fetch responses.
    case t0
    /// TPDU level, T=1: we make the blocks.
    case t1(T1Engine)

    /// One command and its answer, data and status word together.
    mutating func transmit(
        _ apdu: [UInt8], over link: CCIDLink, until deadline: Deadline
    ) async throws(ReaderError) -> [UInt8] {
        switch self {
        case .apdu(let isExtended):
            return try await Self.transmitAPDU(apdu, isExtended: isExtended, over: link, until: deadline)
        case .t0:
            return try await Self.transmitT0(apdu, over: link, until: deadline)
        case .t1(var engine):
            // Kept after a failure, too: the engine then knows that the link has to be resynchronised first.
            defer { self = .t1(engine) }
            return try await Self.runT1(engine.start(apdu: apdu), &engine, over: link, until: deadline)
        }
    }

    private static let operation = "sending a command to the card"

    /// Short and extended APDU level. Some firmware still hands 61xx and 6Cxx up; those are followed here.
    private static func transmitAPDU(
        _ apdu: [UInt8], isExtended: Bool, over link: CCIDLink, until deadline: Deadline
    ) async throws(ReaderError) -> [UInt8] {
        var follower: StatusWordFollower
        do throws(T0Error) {
            follower = try StatusWordFollower(apdu: apdu)
        } catch {
            // An extended command: only an extended-level reader takes it, and such a reader follows nothing up.
            guard isExtended, error == .extendedLength else {
                throw ReaderError(.cardUnusable, during: operation, detail: "\(error)")
            }
            return try await exchangeChained(apdu, over: link, until: deadline)
        }
        var action = follower.start()
        while true {
            switch action {
            case .send(let bytes):
                let answer =
                    isExtended
                    ? try await exchangeChained(bytes, over: link, until: deadline)
                    : try await exchangeBlock(bytes, over: link, until: deadline).data
                action = follower.receive(answer)
            case .complete(let answer):
                return answer
            case .fail(let error):
                // What the reader passed on in good order makes no sense: that is the card's doing.
                throw ReaderError(.cardUnusable, during: operation, detail: "\(error)")
            }
        }
    }

    private static func transmitT0(
        _ apdu: [UInt8], over link: CCIDLink, until deadline: Deadline
    ) async throws(ReaderError) -> [UInt8] {
        var exchange: T0Exchange
        do throws(T0Error) {
            exchange = try T0Exchange(apdu: apdu)
        } catch {
            throw ReaderError(.cardUnusable, during: operation, detail: "\(error)")
        }
        var action = exchange.start()
        while true {
            switch action {
            case .send(let bytes):
                action = exchange.receive(try await exchangeBlock(bytes, over: link, until: deadline).data)
            case .complete(let answer):
                return answer
            case .fail(let error):
                // What the reader passed on in good order makes no sense: that is the card's doing.
                throw ReaderError(.cardUnusable, during: operation, detail: "\(error)")
            }
        }
    }

    /// Runs the block protocol until the engine is done. A mute card is the engine's business: it asks again.
    static func runT1(
        _ first: T1Engine.Action, _ engine: inout T1Engine, over link: CCIDLink, until deadline: Deadline
    ) async throws(ReaderError) -> [UInt8] {
        var action = first
        while true {
            switch action {
            case .send(let block, let multiplier):
                do throws(ReaderError) {
                    // bBWI 0 leaves the reader its usual waiting time; only S(WTX) asks for more.
                    let specific = CCIDCommand.SpecificBytes(multiplier > 1 ? UInt8(clamping: multiplier) : 0)
                    let answer = try await link.exchange(
                        .xfrBlock, specific: specific, data: block, expecting: .dataBlock, operation: operation,
                        until: deadline)
                    action = engine.receive(answer.data)
                } catch  where error.code == .cardMute {
                    action = engine.timedOut()
                }
            case .complete(let answer):
                return answer
            case .fail(let error):
                let code: ReaderError.Code =
                    switch error {
                    case .noAnswer: .cardMute
                    case .answerLost: .linkFailed
                    default: .cardUnusable
                    }
                throw ReaderError(code, during: operation, detail: "\(error)")
            }
        }
    }

    private static func exchangeBlock(
        _ data: [UInt8], level: UInt16 = 0, over link: CCIDLink, until deadline: Deadline
    ) async throws(ReaderError) -> CCIDResponse {
        guard data.count <= link.maximumDataLength else {
            throw ReaderError(.unsupported, during: operation, detail: "the command is too long for the reader")
        }
        return try await link.exchange(
            .xfrBlock, specific: CCIDCommand.SpecificBytes(0, UInt8(level & 0xFF), UInt8(level >> 8)), data: data,
            expecting: .dataBlock, operation: operation, until: deadline)
    }

    /// Extended APDU level (6.1.4, 6.2.1): commands and answers longer than one message go in parts.
    private static func exchangeChained(
        _ apdu: [UInt8], over link: CCIDLink, until deadline: Deadline
    ) async throws(ReaderError) -> [UInt8] {
        let size = link.maximumDataLength
        var start = 0
        var response: CCIDResponse
        repeat {
            let end = min(start + size, apdu.count)
            let (isFirst, isLast) = (start == 0, end == apdu.count)
            let level: UInt16 = isFirst ? (isLast ? 0 : 1) : (isLast ? 2 : 3)
            response = try await exchangeBlock(Array(apdu[start..<end]), level: level, over: link, until: deadline)
            start = end
        } while start < apdu.count
        var answer = response.data
        // bChainParameter: 1 begins, 3 continues an answer; 10 in wLevelParameter asks for the next part.
        while response.specific == 1 || response.specific == 3 {
            response = try await exchangeBlock([], level: 0x10, over: link, until: deadline)
            answer += response.data
            guard answer.count <= 65_538, !response.data.isEmpty || response.specific == 2 else {
                throw ReaderError(.protocolViolation, during: operation, detail: "the answer does not end")
            }
        }
        return answer
    }
}
