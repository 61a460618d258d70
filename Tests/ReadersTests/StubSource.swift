import EMV
import Readers
import Synchronization
import Transport

/// A source that answers what a test says.
struct StubSource: ReaderSource {
    var readers = [FoundReader(id: "stub:1", family: .ccid, model: "Stub", link: .simulated)]
    var opens: Result<StubReader, ReaderError.Code> = .failure(.notFound)
    var inspection = ReaderInspection()
    var heldBy: String?
    var silence: ReaderProblem?

    func scan() async throws(ReaderError) -> [FoundReader] { readers }

    func open(_ reader: FoundReader, until deadline: Deadline) async throws(ReaderError) -> OpenedReader {
        switch opens {
        case .success(let reader): return .channel(reader)
        case .failure(let code): throw ReaderError(code, during: "opening the reader")
        }
    }

    func inspect(_ reader: FoundReader) async -> ReaderInspection { inspection }

    func holder(of reader: FoundReader) async -> String? { heldBy }

    func explainSilence(of reader: FoundReader) async -> ReaderProblem? { silence }

    func changes() async throws(ReaderError) -> AsyncStream<Void> { AsyncStream { $0.finish() } }

    func close() async {}
}

extension ReaderError.Code: Error {}

/// A reader that only knows whether there is a card, and counts how often it was closed.
final class StubReader: ChipReader {
    let model = "Stub"
    private let presence: Result<CardPresence, ReaderError.Code>
    private let closed = Mutex(0)

    init(_ presence: Result<CardPresence, ReaderError.Code>) {
        self.presence = presence
    }

    var closings: Int { closed.withLock { $0 } }

    func cardPresence(until deadline: Deadline) async throws(ReaderError) -> CardPresence {
        switch presence {
        case .success(let presence): return presence
        case .failure(let code): throw ReaderError(code, during: "asking for the slot status")
        }
    }

    func waitForCard(until deadline: Deadline) async throws(ReaderError) { throw unsupported }

    func powerOnCard(until deadline: Deadline) async throws(ReaderError) -> [UInt8] { throw unsupported }

    func transmit(_ command: CommandAPDU, until deadline: Deadline) async throws(ReaderError) -> ResponseAPDU {
        throw unsupported
    }

    func powerOffCard() async {}

    func waitForCardRemoval(until deadline: Deadline) async throws(ReaderError) -> Bool { throw unsupported }

    func close() async { closed.withLock { $0 += 1 } }

    private var unsupported: ReaderError { ReaderError(.unsupported, during: "a stub") }
}
