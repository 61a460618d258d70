import BERTLV
import ReaderWire

/// What the final answer to a transaction means.
enum NEO2Decision: Sendable {
    case stop(ReaderStop)
    /// 08: no card came.
    case noCard
    /// The card was there and stopped answering: taken away, or never readable.
    case cardSilent

    /// - Parameters:
    ///   - expecting: how the card was read, where the answer does not say.
    ///   - fallback: what the stripe of a card with a chip is.
    init(
        _ frame: NEO2Frame, expecting: CardReading.Entry, fallback: NEO2Fallback = .refused, operation: String
    ) throws(ReaderError) {
        switch frame.status {
        case .ok, .requestOnline, .failed:
            if let result = NEO2CardResult(frame.data, expecting: expecting, fallback: fallback) {
                self = .stop(try Self.stop(frame.status, result, operation))
            } else if frame.status == .failed, let word = Self.failureWord(frame.data) {
                self = Self.failure(word)
            } else if frame.status == .failed {
                throw NEO2Failure(status: frame.status, operation: operation).readerError
            } else {
                throw ReaderError(.protocolViolation, during: operation, detail: "an answer without card data")
            }
        case .timeout:
            self = .noCard
        default:
            throw NEO2Failure(status: frame.status, operation: operation).readerError
        }
    }

    /// Whether a final answer that came after a cancel decides something.
    static func isMade(by frame: NEO2Frame) -> Bool {
        switch frame.status {
        case .ok, .requestOnline: true
        case .failed: NEO2CardResult(frame.data, expecting: .contactChip) != nil
        default: false
        }
    }

    /// The cryptogram decides, and not the status: sources differ on what status 00 means.
    private static func stop(
        _ status: NEO2Status, _ result: NEO2CardResult, _ operation: String
    ) throws(ReaderError) -> ReaderStop {
        let reading = result.reading
        guard reading.entry != .magneticStripe, reading.entry != .fallbackStripe else {
            guard status != .failed else { return .ended(.cardFault) }
            return .online(reading)
        }
        switch result.cryptogramInformation.map({ $0 & 0xC0 }) {
        case 0x80: return .online(reading)
        case 0x40: return .approved(reading)
        case 0x00: return .declined(reading)
        default: break
        }
        guard status == .requestOnline || reading.entry == .contactlessStripe else {
            throw ReaderError(.protocolViolation, during: operation, detail: "an answer without a cryptogram")
        }
        return .online(reading)
    }

    /// FFEE1F: error, SW1, SW2, RF state.
    private static func failureWord(_ data: [UInt8]) -> UInt16? {
        guard let result = NEO2Result(data) else { return nil }
        var reader = TLVReader(range: result.objects)
        while case .object(let item)? = reader.next(in: data.span) {
            guard item.tag == 0xFFEE1F, item.valueRange.count >= 3 else { continue }
            let first = item.valueRange.lowerBound
            return UInt16(data[first + 1]) << 8 | UInt16(data[first + 2])
        }
        return nil
    }

    private static func failure(_ word: UInt16) -> NEO2Decision {
        switch word {
        case 0x0000: .cardSilent
        case 0x6A81, 0x6283: .stop(.ended(.cardBlocked))
        case 0x6A82, 0x6985: .stop(.ended(.notAccepted))
        default: .stop(.ended(.cardFault))
        }
    }
}
