import EMV
import FirmwareCores
import Readers
import Synchronization
import Transport

/// A simulated card without driver and wire; the time that it takes is counted.
final class DirectReader: ChipReader {
    let model = "Direct"
    private let card: Mutex<EMVCardCore>
    private let stopwatch: Stopwatch

    init(card profile: CardProfile, _ stopwatch: Stopwatch) {
        card = Mutex(EMVCardCore(profile: profile))
        self.stopwatch = stopwatch
    }

    func cardPresence(until deadline: Deadline) async throws(ReaderError) -> CardPresence { .present }

    func waitForCard(until deadline: Deadline) async throws(ReaderError) {}

    func powerOnCard(until deadline: Deadline) async throws(ReaderError) -> [UInt8] {
        try await stopwatch.count { () throws(ReaderError) in
            guard let answer = card.withLock({ $0.powerOn() }) else {
                throw ReaderError(.cardMute, during: "powering the card on")
            }
            return answer
        }
    }

    func transmit(_ command: CommandAPDU, until deadline: Deadline) async throws(ReaderError) -> ResponseAPDU {
        try await stopwatch.count { () throws(ReaderError) in
            guard let answer = ResponseAPDU(bytes: card.withLock { $0.transmit(command.bytes) }) else {
                throw ReaderError(.cardRemoved, during: "sending a command")
            }
            return answer
        }
    }

    func powerOffCard() async {
        card.withLock { $0.powerOff() }
    }

    func waitForCardRemoval(until deadline: Deadline) async throws(ReaderError) -> Bool { true }

    func close() async {}
}
