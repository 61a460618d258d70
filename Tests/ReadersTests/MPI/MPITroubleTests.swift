import EMV
import FirmwareCores
import InProcessMock
import ReaderWire
import SeededInput
import Testing
import Transport

@testable import Readers

/// The driver with a reader, or a line, that misbehaves.
@Suite("MPI in trouble")
struct MPITroubleTests {
    /// Commands of a sale in the slot: card status, DE D1, DE D2; their answers come in several packets.
    private static let payment = StreamBed.payment(interfaces: [.contact])
    private static let options = ["card": "visa-credit", "part": "100"]
    private static let places = Array(1...3)

    private func bed() async throws -> (StreamBed, MPIReader) {
        let bed = try StreamBed.mpi(Self.options)
        return (bed, try await bed.openMPI())
    }

    @Test func `the places of these tests are the commands of the sale`() async throws {
        let (bed, reader) = try await bed()
        #expect(try await bed.sale(reader, Self.payment).name == "approved")
        #expect(Array(bed.mpiCommands.dropFirst(2)) == ["d060", "ded1", "ded2"])
    }

    @Test(
        arguments: places,
        ["noise-before", "stale", "twice", "split 1", "split-at 5", "late 400", "swapped-check", "unsolicited"])
    func `what a line may do does no harm`(place: Int, fault: String) async throws {
        let (bed, reader) = try await bed()
        bed.steer("fault \(place) \(fault)")
        #expect(try await bed.sale(reader, Self.payment).name == "approved")
        #expect(try await bed.sale(reader, Self.payment).name == "approved")
    }

    @Test(arguments: places, ["wrong-check", "cut", "silent", "hostile-length", "late 100000"])
    func `a lost answer fails that sale with its name, and the next one works`(
        place: Int, fault: String
    ) async throws {
        let (bed, reader) = try await bed()
        bed.steer("fault \(place) \(fault)")
        let spent = await bed.duration {
            let code = await bed.code { _ = try await bed.sale(reader, Self.payment) }
            #expect(code == .silent || code == .linkFailed || code == .protocolViolation, "\(String(describing: code))")
        }
        #expect(spent <= .seconds(66))
        #expect(!bed.hasTransfersInFlight)
        bed.steer("faults clear")
        #expect(try await bed.sale(reader, Self.payment).name == "approved")
    }

    @Test(arguments: places, ["unplug-before", "unplug-after", "unplug-half"])
    func `a reader that leaves is gone at once`(place: Int, fault: String) async throws {
        let (bed, reader) = try await bed()
        bed.steer("fault \(place) \(fault)")
        let spent = await bed.duration {
            #expect(await bed.code { _ = try await bed.sale(reader, Self.payment) } == .gone)
        }
        #expect(spent <= .seconds(1))
        #expect(await bed.code { _ = try await bed.sale(reader, Self.payment) } == .gone)
        await reader.abandon()
        await reader.close()
        #expect(!bed.hasTransfersInFlight)
    }

    @Test(arguments: places)
    func `packets may be cut anywhere`(place: Int) async throws {
        for cut in Array(1...12) + [50, 99, 103, 104, 105, 150, 207, 208, 300] {
            let (bed, reader) = try await bed()
            bed.steer("fault \(place) split-at \(cut)")
            #expect(try await bed.sale(reader, Self.payment).name == "approved", "cut after \(cut)")
        }
    }

    /// At every command of a sale, and while it waits for the card.
    @Test(arguments: 1...4)
    func `messages that nobody asked for disturb nothing`(place: Int) async throws {
        let bed = try StreamBed.mpi(["part": "100"])
        let reader = try await bed.openMPI()
        bed.plan("event LOW BATTERY", atSend: place)
        bed.steer("fault \(place) unsolicited")
        bed.steer("after 400 event STILL WAITING")
        bed.steer("after 900 insert visa-credit")
        #expect(try await bed.sale(reader).name == "approved")
    }

    /// Answers bear no number: what is left of one command must not be taken for the answer to the next.
    @Test func `an answer that comes once more belongs to nothing`() async throws {
        let bed = StreamBed(Stutterer(try MPIFirmware.make()))
        let reader = try await bed.openMPI()
        for _ in 0..<3 {
            try await reader.display("HELLO", until: bed.after(5))
            #expect(try await reader.configuration(until: bed.after(5)).count == 16)
        }
    }

    /// Says everything four milliseconds late, and again two milliseconds later.
    final class Stutterer: SerialFirmware {
        private let reader: MPIFirmware
        private var later: [(due: Duration, effects: [SerialEffect])] = []
        init(_ reader: MPIFirmware) { self.reader = reader }

        var nextDue: Duration? { later.map(\.due).min() }
        func receive(_ bytes: [UInt8], at now: Duration) -> [SerialEffect] {
            let effects = reader.receive(bytes, at: now)
            later += [(now + .milliseconds(4), effects), (now + .milliseconds(6), effects)]
            return []
        }
        func advance(to now: Duration) -> [SerialEffect] {
            defer { later.removeAll { $0.due <= now } }
            return later.filter { $0.due <= now }.flatMap(\.effects)
        }
        func powerCycled() {}
        func steer(_ command: String, at now: Duration) -> (complaint: String?, effects: [SerialEffect]) { (nil, []) }
    }

    @Test func `a flood of messages is bounded`() async throws {
        let bed = StreamBed(Flood())
        let spent = await bed.duration {
            #expect(await bed.code { _ = try await bed.openMPI() } != nil)
        }
        #expect(spent <= .seconds(15))
    }

    /// Messages that nobody asked for, one after another, without an answer.
    final class Flood: SerialFirmware {
        private var due: Duration? = .zero
        var nextDue: Duration? { due }
        func receive(_ bytes: [UInt8], at now: Duration) -> [SerialEffect] { [] }
        func advance(to now: Duration) -> [SerialEffect] {
            guard let due, due <= now else { return [] }
            self.due = now + .milliseconds(2)
            return [.bytes(Array([[UInt8]](repeating: readyMessage, count: 20).joined()))]
        }
        func powerCycled() {}
        func steer(_ command: String, at now: Duration) -> (complaint: String?, effects: [SerialEffect]) { (nil, []) }
    }

    @Test(arguments: 1...20)
    func `random bytes never trap, hang or approve`(block: Int) async throws {
        for seed in (block - 1) * 100..<block * 100 {
            let bed = StreamBed(RandomReader(seed: UInt64(seed)))
            let spent = await bed.duration {
                do {
                    let reader = try await bed.openMPI()
                    _ = try await bed.sale(reader, seconds: 30)
                    await reader.close()
                } catch {
                    #expect(error is ReaderError, "seed \(seed)")
                }
            }
            #expect(spent <= .seconds(120), "seed \(seed)")
            #expect(!bed.hasTransfersInFlight)
        }
    }

    /// Answers with random bytes, and with packets of the right form whose content is random.
    final class RandomReader: SerialFirmware {
        private var numbers: SeededNumbers
        init(seed: UInt64) { numbers = SeededNumbers(seed: seed) }

        var nextDue: Duration? { nil }
        func receive(_ bytes: [UInt8], at now: Duration) -> [SerialEffect] {
            guard Int.random(in: 0..<20, using: &numbers) > 0 else { return [] }
            return (0..<Int.random(in: 1...3, using: &numbers)).map { _ in .bytes(piece()) }
        }

        private func piece() -> [UInt8] {
            var data = (0..<Int.random(in: 2...60, using: &numbers)).map { _ in
                UInt8.random(in: 0...255, using: &numbers)
            }
            guard Int.random(in: 0..<5, using: &numbers) > 0 else { return data }
            if Bool.random(using: &numbers) {
                let templates: [UInt8] = [0xE1, 0xE2, 0xE3, 0xE4, 0xE5, 0xE6, 0xEA]
                let object: [UInt8] = [0x9F, 0x27, 0x01, UInt8.random(in: 0...255, using: &numbers)]
                data = [templates.randomElement(using: &numbers) ?? 0xE1, UInt8(object.count)] + object
            }
            if Int.random(in: 0..<3, using: &numbers) > 0 { data += [0x90, 0x00] }
            return MPIPacket(
                isChained: Int.random(in: 0..<6, using: &numbers) == 0,
                isUnsolicited: Int.random(in: 0..<4, using: &numbers) == 0, part: data
            )?.bytes ?? []
        }

        func advance(to now: Duration) -> [SerialEffect] { [] }
        func powerCycled() {}
        func steer(_ command: String, at now: Duration) -> (complaint: String?, effects: [SerialEffect]) { (nil, []) }
    }
}

/// E6, text READY.
private let readyMessage = bytes("01 40 0B E6 07 C4 05 52 45 41 44 59 90 00 B1")
