import EMV
import FirmwareCores
import InProcessMock
import ReaderWire
import SeededInput
import Testing
import Transport

@testable import Readers

/// The driver with a reader, or a line, that misbehaves.
@Suite("QPOS in trouble")
struct QPOSTroubleTests {
    /// A sale whose card is there, with answers in two parts.
    private static let options = ["card": "visa-credit", "part": "200"]
    private static let places = Array(1...5)

    private func bed() async throws -> (StreamBed, QPOSReader) {
        let bed = try StreamBed.qpos(Self.options)
        return (bed, try await bed.openQPOS())
    }

    @Test func `the places of these tests are the frames of the sale`() async throws {
        let (bed, reader) = try await bed()
        #expect(try await bed.sale(reader).name == "approved")
        #expect(Array(bed.qposRequests.dropFirst(3)) == ["16-20", "16-30", "36", "16-40", "36"])
    }

    @Test(
        arguments: places,
        ["noise-before", "stale", "twice", "split 1", "split-at 5", "late 400", "swapped-check", "unsolicited"])
    func `what a line may do does no harm`(place: Int, fault: String) async throws {
        let (bed, reader) = try await bed()
        bed.steer("fault \(place) \(fault)")
        #expect(try await bed.sale(reader).name == "approved")
    }

    @Test(arguments: places, ["wrong-check", "cut", "silent", "hostile-length", "late 100000"])
    func `a lost frame fails that sale with its name, and the next one works`(place: Int, fault: String) async throws {
        let (bed, reader) = try await bed()
        bed.steer("fault \(place) \(fault)")
        let spent = await bed.duration {
            let code = await bed.code { _ = try await bed.sale(reader) }
            #expect(code == .silent || code == .cardNotInserted || code == .linkFailed)
        }
        #expect(spent <= .seconds(66))
        #expect(!bed.hasTransfersInFlight)
        bed.steer("faults clear")
        #expect(try await bed.sale(reader).name == "approved")
    }

    @Test(arguments: places, ["unplug-before", "unplug-after", "unplug-half"])
    func `a reader that leaves is gone at once`(place: Int, fault: String) async throws {
        let (bed, reader) = try await bed()
        bed.steer("fault \(place) \(fault)")
        let spent = await bed.duration {
            #expect(await bed.code { _ = try await bed.sale(reader) } == .gone)
        }
        #expect(spent <= .seconds(1))
        #expect(await bed.code { _ = try await bed.sale(reader) } == .gone)
        await reader.abandon()
        await reader.close()
        #expect(!bed.hasTransfersInFlight)
    }

    @Test(arguments: places)
    func `frames may be cut anywhere`(place: Int) async throws {
        for cut in Array(1...24) + [50, 100, 150, 205] {
            let (bed, reader) = try await bed()
            bed.steer("fault \(place) split-at \(cut)")
            #expect(try await bed.sale(reader).name == "approved", "cut after \(cut)")
        }
    }

    @Test func `a reader that is busy for ever ends at the deadline`() async throws {
        let bed = try StreamBed.qpos(["card": "visa-credit"])
        let reader = try await bed.openQPOS()
        bed.steer("busy endless")
        // The chip has decided by then, and says so when it is cancelled: the slot, then the chip.
        let spent = await bed.duration {
            #expect(await bed.code { _ = try await bed.sale(reader, seconds: 10) } != nil)
        }
        #expect(spent <= .seconds(14))
        bed.steer("busy 0")
        #expect(try await bed.sale(reader).name == "approved")
    }

    @Test func `a reader that says it waits, without end, ends at the deadline`() async throws {
        let bed = StreamBed(WaitingForEver())
        let spent = await bed.duration {
            #expect(await bed.code { _ = try await bed.openQPOS() } == .silent)
        }
        #expect(spent <= .seconds(10))
    }

    /// Answers every frame with 23.
    final class WaitingForEver: SerialFirmware {
        var nextDue: Duration? { nil }
        func receive(_ bytes: [UInt8], at now: Duration) -> [SerialEffect] {
            [.bytes(QPOSFrame(id: 0x23, command: 0x10, subCommand: 0x00).bytes)]
        }
        func advance(to now: Duration) -> [SerialEffect] { [] }
        func powerCycled() {}
        func steer(_ command: String, at now: Duration) -> (complaint: String?, effects: [SerialEffect]) { (nil, []) }
    }

    /// Every id at 16-30: none is taken for an approval, its number can be read, and the next payment works.
    @Test(arguments: 0..<16)
    func `every id that is no answer becomes an error or an end with its name`(block: Int) async throws {
        let good: Set<UInt8> = [0x23, 0x24, 0x27, 0x36, 0x41, 0x42, 0x43, 0x52, 0x88]
        let bed = try StreamBed.qpos(["card": "visa-credit"])
        let reader = try await bed.openQPOS()
        for id in UInt8(block * 16)...UInt8(block * 16 + 15) where !good.contains(id) {
            // The 16-30 that comes after the next 16-20.
            bed.plan("answer \(hex2(id))", atSend: 2)
            do throws(ReaderError) {
                let stop = try await reader.start(StreamBed.payment, prompt: bed.prompt, cardWait: bed.after(60))
                guard case .ended = stop else {
                    Issue.record("id \(id): \(stop.name)")
                    continue
                }
                #expect(QPOSCardTrouble(QPOSStatus(rawValue: id)) != nil)
            } catch {
                // Ids of the host's own, which no reader sends, are passed over: silence.
                let isHosts = [0x20, 0x21, 0x22].contains(id)
                #expect(isHosts || error.detail?.hasPrefix("id \(hex2(id).uppercased())") == true, "\(error)")
                // The reset that follows an error was a request of its own.
            }
        }
        #expect(try await bed.sale(reader).name == "approved")
    }

    @Test(arguments: 1...20)
    func `random bytes never trap, hang or approve`(block: Int) async throws {
        for seed in (block - 1) * 100..<block * 100 {
            let bed = StreamBed(RandomReader(seed: UInt64(seed)))
            let spent = await bed.duration {
                do {
                    let reader = try await bed.openQPOS()
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

    /// Answers with random bytes, and with frames of the right form whose content is random.
    final class RandomReader: SerialFirmware {
        private var numbers: SeededNumbers
        init(seed: UInt64) { numbers = SeededNumbers(seed: seed) }

        var nextDue: Duration? { nil }
        func receive(_ bytes: [UInt8], at now: Duration) -> [SerialEffect] {
            guard Int.random(in: 0..<20, using: &numbers) > 0 else { return [] }
            return (0..<Int.random(in: 1...3, using: &numbers)).map { _ in .bytes(piece(bytes)) }
        }

        private func piece(_ request: [UInt8]) -> [UInt8] {
            let data = (0..<Int.random(in: 0...60, using: &numbers)).map { _ in
                UInt8.random(in: 0...255, using: &numbers)
            }
            guard Int.random(in: 0..<4, using: &numbers) > 0, request.count > 5 else { return data }
            let ids: [UInt8] = [
                0x23, 0x24, 0x24, 0x24, 0x36, 0x88, 0x27, 0x52, UInt8.random(in: 0...255, using: &numbers),
            ]
            return QPOSFrame(
                id: ids.randomElement(using: &numbers) ?? 0x24, command: request[4], subCommand: request[5],
                timeoutOrResult: UInt8.random(in: 0...2, using: &numbers), data: data
            ).bytes
        }

        func advance(to now: Duration) -> [SerialEffect] { [] }
        func powerCycled() {}
        func steer(_ command: String, at now: Duration) -> (complaint: String?, effects: [SerialEffect]) { (nil, []) }
    }
}
