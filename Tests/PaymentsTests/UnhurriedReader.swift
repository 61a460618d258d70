import EMV
import Readers
import Synchronization
import Transport

/// A reader whose card takes its time with the issuer's answer, as real ones do: until somebody has begun to write it.
final class UnhurriedReader: ChipReader {
    let model = "Unhurried"
    private let inner: any ChipReader
    private let record: AnswerRecord
    private let cryptograms = Mutex(0)
    private let afterwards: @Sendable () async -> Void

    /// - Parameter afterwards: done before the card gets its last command for a cryptogram.
    init(_ inner: any ChipReader, _ record: AnswerRecord, afterwards: @escaping @Sendable () async -> Void = {}) {
        self.inner = inner
        self.record = record
        self.afterwards = afterwards
    }

    func transmit(_ command: CommandAPDU, until deadline: Deadline) async throws(ReaderError) -> ResponseAPDU {
        // GENERATE AC: Book 3, 6.5.5. What comes before it, EXTERNAL AUTHENTICATE, is answered at once.
        guard command.bytes.starts(with: [0x80, 0xAE]) else {
            return try await inner.transmit(command, until: deadline)
        }
        let number = cryptograms.withLock { number in
            number += 1
            return number
        }
        if number == 2 {
            await record.untilBegun()
            await afterwards()
        }
        return try await inner.transmit(command, until: deadline)
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

    func powerOffCard() async { await inner.powerOffCard() }

    func waitForCardRemoval(until deadline: Deadline) async throws(ReaderError) -> Bool {
        try await inner.waitForCardRemoval(until: deadline)
    }

    func close() async { await inner.close() }
}
