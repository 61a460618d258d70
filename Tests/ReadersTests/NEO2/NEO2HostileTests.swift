import FirmwareCores
import ReaderWire
import SeededInput
import Synchronization
import Testing
import Transport

@testable import InProcessMock
@testable import Readers

/// Readers that send anything at all. Nothing traps, hangs or stays in flight.
@Suite struct NEO2HostileTests {
    private static let seeds: UInt64 = 2000

    @Test("random bytes, and real answers with random damage", arguments: zip(NEO2LinkForm.allCases, [0, 1]))
    func random(form: NEO2LinkForm, first: UInt64) async throws {
        for seed in stride(from: first, to: Self.seeds, by: 2) {
            var numbers = SeededNumbers(seed: seed)
            // Encryption takes most of the time here.
            let sred = ["tdes", "masked", "clear", "masked"][Int(seed / 2 % 4)]
            let bed = try NEO2Bed(form, ["card": "visa-credit", "chatty": "yes", "sred": sred])
            let percent = [2, 10, 50, 100][Int(seed / 8 % 4)]
            let damage = Damage(percent: percent, numbers: numbers)
            bed.tamper { note in
                note.kind == .in && note.moment == .done ? .replace(damage.changed(note.bytes)) : .pass
            }
            let start = bed.clock.now()
            if let reader = try? await bed.open() {
                let interfaces: [Set<CardInterface>] = [[.contact], [.contactless, .magneticStripe], []]
                if case .online? = try? await bed.start(reader, interfaces[Int(numbers.next() % 3)], seconds: 10) {
                    _ = try? await reader.complete(hostApproval, until: bed.after(10))
                }
                await reader.abandon()
                await reader.close()
            }
            #expect(start.duration(to: bed.clock.now()) < .seconds(120), "seed \(seed)")
            #expect(!bed.hasTransfersInFlight, "seed \(seed)")
        }
    }

    @Test("answers that state a length that nothing follows", arguments: NEO2LinkForm.allCases)
    func hostileLengths(form: NEO2LinkForm) async throws {
        let bed = try NEO2Bed(form)
        let reader = try await bed.open()
        for _ in 0..<20 { bed.steer("fault next hostile-length") }
        let start = bed.clock.now()
        await #expect(throws: ReaderError.self) { _ = try await bed.start(reader, [.contactless], seconds: 5) }
        #expect(start.duration(to: bed.clock.now()) < .seconds(10))
    }

    @Test("card data that lie about their lengths are no card", arguments: 0..<200)
    func lyingData(seed: Int) {
        var numbers = SeededNumbers(seed: UInt64(seed))
        var data: [UInt8] = [0xE8, 0xDF, 0xEE, 0x23, 0x82, 0x01, 0x38, 0x02, 0x32, 0x01, 0x80, 0x1F, 0x4F, 0xFF, 0xFF]
        for _ in 0..<Int(numbers.next() % 60) { data.append(UInt8(truncatingIfNeeded: numbers.next())) }
        data[Int(numbers.next() % UInt64(data.count))] = UInt8(truncatingIfNeeded: numbers.next())
        // Whatever it is, it is no swipe: the block is not there.
        #expect(NEO2CardResult(data, expecting: .contactChip)?.reading.account.lastFour == nil)
    }

    @Test("a reader that ends every wait at once does not keep us")
    func noTurns() async throws {
        let clock = VirtualClock()
        let device = InProcessDevice(serial: AlwaysTimeout(), clock: clock)
        let reader = try await NEO2Reader.open(
            device.openStream(), form: .stream, model: "Mock", clock: clock, until: .after(.seconds(10), on: clock))
        await #expect(throws: ReaderError(.protocolViolation, during: "")) {
            _ = try await reader.start(
                NEO2Bed.payment([]), prompt: { _ in }, cardWait: .after(.seconds(60), on: clock))
        }
    }

    /// Answers every transaction with "timeout" and everything else with "ok", without any time passing.
    private final class AlwaysTimeout: SerialFirmware {
        func receive(_ bytes: [UInt8], at now: Duration) -> [SerialEffect] {
            guard let frame = NEO2Frame(parsing: bytes) else { return [] }
            let waits = frame.command == 0x02 || frame.command == 0x60
            return [.bytes(NEO2Frame(answering: frame.command, waits ? .timeout : .ok).bytes)]
        }
        var nextDue: Duration? { nil }
        func advance(to now: Duration) -> [SerialEffect] { [] }
        func powerCycled() {}
        func steer(_ command: String, at now: Duration) -> (complaint: String?, effects: [SerialEffect]) { (nil, []) }
    }
}

/// Changes some of what a reader sends.
private final class Damage: Sendable {
    private let percent: Int
    private let numbers: Mutex<SeededNumbers>

    init(percent: Int, numbers: SeededNumbers) {
        self.percent = percent
        self.numbers = Mutex(numbers)
    }

    func changed(_ bytes: [UInt8]) -> [UInt8] {
        numbers.withLock { numbers in
            guard Int(numbers.next() % 100) < percent else { return bytes }
            var bytes = bytes
            switch numbers.next() % 3 {
            case 0:
                return (0..<Int(numbers.next() % 70)).map { _ in UInt8(truncatingIfNeeded: numbers.next()) }
            case 1:
                for _ in 0...Int(numbers.next() % 4) where !bytes.isEmpty {
                    bytes[Int(numbers.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: numbers.next())
                }
                return bytes
            default:
                return Array(bytes.prefix(Int(numbers.next() % UInt64(bytes.count + 1))))
            }
        }
    }
}
