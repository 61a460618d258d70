import EMV
import FirmwareCores
import InProcessMock
import ReaderWire
import Testing
import Transport

@testable import Readers

/// Every code of a reader's error, by what brings it about. A new code needs a scenario here.
struct ReachedReaderErrorTests {
    @Test(arguments: ReaderError.Code.allCases)
    func `every code is reached`(code: ReaderError.Code) async throws {
        #expect(try await Self.reached(code) == code)
    }

    private static let found = ["1", "2"].map { FoundReader(id: $0, family: .ccid, model: "M", link: .usb) }

    /// What comes of the scenario for a code.
    private static func reached(_ code: ReaderError.Code) async throws -> ReaderError.Code? {
        switch code {
        case .ambiguous: return failure { () throws(ReaderError) in try ReaderChoice.choosing(nil, from: found) }
        case .notFound: return failure { () throws(ReaderError) in try ReaderChoice.choosing("3", from: found) }
        case .cardNotInserted:
            let bed = try CCIDBed(["card": "none"])
            let reader = try await bed.open()
            return await bed.code { try await reader.waitForCard(until: bed.after(1)) }
        case .cardRemoved: return try await command(after: "fault next card-removed")
        case .cardMute:
            let bed = try CCIDBed(["card": "mute"])
            let reader = try await bed.open()
            return await bed.code { _ = try await reader.powerOnCard(until: bed.after(5)) }
        case .cardUnusable: return try await powerOn(answered: .give(bytes("80 02000000 00 01 00 00 00 4142")))
        case .cancelled:
            let bed = try CCIDBed()
            let reader = try await bed.open()
            let asking = Task { () async -> ReaderError.Code? in
                withUnsafeCurrentTask { $0?.cancel() }
                return await bed.code { _ = try await reader.cardPresence(until: bed.after(5)) }
            }
            return await asking.value
        // As libusb says it of a node that may not be opened.
        case .accessDenied: return try await powerOn(answered: .fail(TransportError(.denied, during: "receive")))
        case .busy: return try await secondOperation()
        case .gone: return try await command(after: "unplug")
        case .silent: return try await command(after: "fault next silent")
        case .protocolViolation: return try await command(after: "fault next stall")
        // bError FC: the reader and the card did not understand each other on the wire.
        case .linkFailed: return try await powerOn(answered: .give(bytes("80 00000000 00 01 40 FC 00")))
        case .hardwareFault:
            let bed = try CCIDBed(["card": "none"])
            let reader = try await bed.open()
            bed.steer("after 300 hardware-error")
            return await bed.code { try await reader.waitForCard(until: bed.after(60)) }
        case .unsupported:
            let bed = try CCIDBed(["level": "character"])
            return await bed.code { _ = try await bed.open() }
        case .closed:
            let bed = try CCIDBed()
            let reader = try await bed.open()
            await reader.close()
            return await bed.code { _ = try await reader.cardPresence(until: bed.after(5)) }
        }
    }

    private static func failure(_ body: () throws(ReaderError) -> FoundReader) -> ReaderError.Code? {
        do throws(ReaderError) {
            _ = try body()
            return nil
        } catch {
            return error.code
        }
    }

    /// A command to a card that is powered on.
    private static func command(after steering: String) async throws -> ReaderError.Code? {
        let bed = try CCIDBed()
        let reader = try await bed.open()
        _ = try await reader.powerOnCard(until: bed.after(5))
        bed.steer(steering)
        return await bed.code { _ = try await reader.transmit(selectPSE, until: bed.after(30)) }
    }

    /// The second operation while the first waits.
    private static func secondOperation() async throws -> ReaderError.Code? {
        let bed = try CCIDBed(["card": "none", "interrupt": "no"])
        let reader = try await bed.open()
        let waiting = Task { try await reader.waitForCard(until: Deadline(MonotonicInstant(nanoseconds: .max))) }
        while bed.frames.count < 3 { await Task.yield() }
        let code = await bed.code { _ = try await reader.cardPresence(until: bed.after(5)) }
        waiting.cancel()
        _ = await waiting.result
        return code
    }

    /// Power on, answered like this (CCID 1.1, 6.2.1).
    private static func powerOn(answered answer: ScriptedTransport.Step) async throws -> ReaderError.Code? {
        let clock = VirtualClock()
        let steps: [ScriptedTransport.Step] = [
            .expect(bytes("65 00000000 00 00 000000")), .give(bytes("81 00000000 00 00 01 00 00")),
            .expect(bytes("62 00000000 00 01 00 0000")), answer,
        ]
        let descriptor = try #require(
            CCIDClassDescriptor(
                parsing: bytes(
                    "36 21 1001 00 07 03000000 A00F0000 A00F0000 00 80250000 80250000 00 FE000000 00000000 00000000"
                        + "FE040400 0F010000 FFFF 0000 00 01")))
        let reader = try await CCIDReader.open(
            ScriptedTransport(steps, clock: clock), descriptor: descriptor, interfaceNumber: 0, model: "Script",
            clock: clock, until: .after(.seconds(30), on: clock))
        do throws(ReaderError) {
            _ = try await reader.powerOnCard(until: .after(.seconds(30), on: clock))
            return nil
        } catch {
            return error.code
        }
    }
}
