import EMV
import Readers
import Transport

/// A reader whose card takes its time with the issuer's answer, as real ones do: until that has been written.
struct UnhurriedReader: ChipReader {
    let model: String
    private let inner: any ChipReader
    private let record: AnswerRecord

    init(_ inner: any ChipReader, _ record: AnswerRecord) {
        model = inner.model
        self.inner = inner
        self.record = record
    }

    func cardPresence(until deadline: Deadline) async throws(ReaderError) -> CardPresence {
        try await inner.cardPresence(until: deadline)
    }

    func waitForCard(until deadline: Deadline) async throws(ReaderError) {
        try await inner.waitForCard(until: deadline)
    }

    func powerOnCard(until deadline: Deadline) async throws(ReaderError) -> [UInt8] {
        try await inner.powerOnCard(until: deadline)
    }

    func transmit(_ command: CommandAPDU, until deadline: Deadline) async throws(ReaderError) -> ResponseAPDU {
        await record.untilWritten()
        return try await inner.transmit(command, until: deadline)
    }

    func powerOffCard() async { await inner.powerOffCard() }

    func waitForCardRemoval(until deadline: Deadline) async throws(ReaderError) -> Bool {
        try await inner.waitForCardRemoval(until: deadline)
    }

    func close() async { await inner.close() }
}
