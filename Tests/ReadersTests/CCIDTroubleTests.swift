import EMV
import FirmwareCores
import InProcessMock
import Testing
import Transport

@testable import Readers

/// The driver with a reader that misbehaves while it handles one command.
struct CCIDTroubleTests {
    /// Level and card: every way in which a command can travel.
    private static let ways = [
        ("extended", "visa-credit"), ("short", "mastercard-debit"), ("tpdu", "visa-credit"), ("tpdu", "visa-t0"),
    ]

    private static let failures: [(fault: String, code: ReaderError.Code)] = [
        ("silent", .silent), ("late 6000", .silent), ("wrong-seq", .silent), ("short", .silent),
        ("stall", .protocolViolation), ("oversized", .protocolViolation), ("bad-status", .protocolViolation),
    ]

    private static let tolerated = [
        "stale", "twice", "glued", "time-extension 60", "late 4900", "drip 5", "storm",
    ]

    private func poweredReader(_ way: (level: String, card: String)) async throws -> (CCIDBed, CCIDReader) {
        let bed = try CCIDBed(["level": way.level, "card": way.card])
        let reader = try await bed.open()
        _ = try await reader.powerOnCard(until: bed.after(5))
        return (bed, reader)
    }

    @Test(arguments: ways, failures)
    func `a failed command is named and the next one works`(
        way: (level: String, card: String), failure: (fault: String, code: ReaderError.Code)
    ) async throws {
        let (bed, reader) = try await poweredReader(way)
        bed.steer("fault next \(failure.fault)")
        let spent = await bed.duration {
            #expect(
                await bed.code { _ = try await reader.transmit(selectPSE, until: bed.after(30)) } == failure.code)
        }
        #expect(spent <= CCIDReader.defaultResponseTimeout + CCIDLink.abortTimeout)
        #expect(!bed.hasTransfersInFlight)
        let expected = try directAnswer(of: way.card, to: selectPSE).answer
        #expect(try await reader.transmit(selectPSE, until: bed.after(30)).bytes == expected)
    }

    @Test(arguments: ways, tolerated)
    func `what the protocol allows does no harm`(way: (level: String, card: String), fault: String) async throws {
        let (bed, reader) = try await poweredReader(way)
        bed.steer("fault next \(fault)")
        let expected = try directAnswer(of: way.card, to: selectPSE).answer
        for _ in 0..<2 {
            #expect(try await reader.transmit(selectPSE, until: bed.after(30)).bytes == expected)
        }
    }

    /// The garbage may look like the beginning of a message, so how it is noticed depends on its bytes.
    @Test(arguments: 1...40)
    func `garbage before an answer fails that command only`(seed: Int) async throws {
        let bed = try CCIDBed(["seed": "\(seed)"])
        let reader = try await bed.open()
        _ = try await reader.powerOnCard(until: bed.after(5))
        bed.steer("fault next garbage-before")
        let code = await bed.code { _ = try await reader.transmit(selectPSE, until: bed.after(30)) }
        #expect(code == .protocolViolation || code == .silent)
        let expected = try directAnswer(of: "visa-credit", to: selectPSE).answer
        #expect(try await reader.transmit(selectPSE, until: bed.after(30)).bytes == expected)
    }

    @Test(arguments: ways)
    func `a card taken out in the dialogue is a removed card`(way: (level: String, card: String)) async throws {
        let (bed, reader) = try await poweredReader(way)
        bed.steer("fault next card-removed")
        #expect(await bed.code { _ = try await reader.transmit(selectPSE, until: bed.after(30)) } == .cardRemoved)
        #expect(try await reader.cardPresence(until: bed.after(5)) == .absent)
    }

    @Test(arguments: ways)
    func `a card taken out and put back between commands is a removed card`(
        way: (level: String, card: String)
    ) async throws {
        let (bed, reader) = try await poweredReader(way)
        bed.steer("remove")
        bed.steer("insert")
        let code = await bed.code { _ = try await reader.transmit(selectPSE, until: bed.after(30)) }
        #expect(code == .cardRemoved || code == .cardMute)
        #expect(try await reader.powerOnCard(until: bed.after(5)).first == 0x3B)
    }

    @Test(arguments: ways, ["unplug-before", "unplug-after", "unplug-half"])
    func `a reader that leaves is gone at once`(way: (level: String, card: String), fault: String) async throws {
        let (bed, reader) = try await poweredReader(way)
        bed.steer("fault next \(fault)")
        let spent = await bed.duration {
            #expect(await bed.code { _ = try await reader.transmit(selectPSE, until: bed.after(30)) } == .gone)
        }
        #expect(spent <= .milliseconds(5))
        #expect(await bed.code { _ = try await reader.cardPresence(until: bed.after(5)) } == .gone)
        await reader.close()
        #expect(!bed.hasTransfersInFlight)
    }

    @Test func `a cancel ends a command at once and is told to the reader`() async throws {
        let (bed, reader) = try await poweredReader(("extended", "visa-credit"))
        bed.steer("fault next late 4000")
        let sending = Task { () async -> ReaderError.Code? in
            bed.device.onTransfer { note in
                // The command is out; its answer is 4 s away.
                if note.kind == .in, note.moment == .submitted { withUnsafeCurrentTask { $0?.cancel() } }
                return .pass
            }
            return await bed.code { _ = try await reader.transmit(selectPSE, until: bed.after(30)) }
        }
        #expect(await sending.value == .cancelled)
        bed.device.onTransfer(nil)
        #expect(!bed.hasTransfersInFlight)
        let expected = try directAnswer(of: "visa-credit", to: selectPSE).answer
        #expect(try await reader.transmit(selectPSE, until: bed.after(30)).bytes == expected)
    }

    @Test func `a task that is cancelled already sends nothing`() async throws {
        let (bed, reader) = try await poweredReader(("extended", "visa-credit"))
        let count = bed.frames.count
        let sending = Task { () async -> ReaderError.Code? in
            withUnsafeCurrentTask { $0?.cancel() }
            return await bed.code { _ = try await reader.transmit(selectPSE, until: bed.after(30)) }
        }
        #expect(await sending.value == .cancelled)
        #expect(bed.frames.count == count)
    }

    @Test(arguments: ["silent", "stall", "short", "wrong-seq", "unplug-after"])
    func `a reader that does not come up is not left open`(fault: String) async throws {
        let bed = try CCIDBed()
        bed.steer("fault next \(fault)")
        #expect(await bed.code { _ = try await bed.open() } != nil)
        #expect(!bed.hasTransfersInFlight)
        if fault == "unplug-after" { bed.steer("plug") }
        let reader = try await bed.open()
        #expect(try await reader.cardPresence(until: bed.after(5)) == .present)
    }
}
