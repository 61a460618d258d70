import FirmwareCores
import ReaderWire
import Testing
import Transport

@testable import Readers

/// Every fault of the link at every command of a payment: an error that says what it is, in bounded time, with nothing
/// left in flight; and the same reader works again afterwards.
@Suite struct NEO2FaultTests {
    /// Greeting, then one payment; the words of how it ended.
    private func runPayment(_ bed: NEO2Bed, _ isInserted: Bool) async -> (String, NEO2Reader?) {
        var opened: NEO2Reader?
        do throws(ReaderError) {
            let reader = try await bed.open()
            opened = reader
            let stop = try await bed.start(reader, isInserted ? [.contact] : [.contactless], seconds: 20)
            guard case .online = stop else { return (name(stop), reader) }
            return (name(try await reader.complete(hostApproval, until: bed.after(30))), reader)
        } catch {
            return ("\(error.code.rawValue)", opened)
        }
    }

    /// Commands of a greeting, and of a payment with a card in the slot.
    private static let greeting = 6
    private static let commands = greeting + 4

    private static let faults =
        FrameFault.plain.keys.filter { !$0.hasPrefix("unplug") }.sorted()
        + ["late 700", "late 1500", "late 40000", "split 1", "split-at 1", "split-at 13", "split-at 17"]

    @Test("a fault at a command", arguments: NEO2LinkForm.allCases, faults)
    func fault(form: NEO2LinkForm, fault: String) async throws {
        for command in 1...Self.commands {
            let bed = try NEO2Bed(form, ["card": "visa-credit"])
            bed.steer("fault \(command) \(fault)")
            let start = bed.clock.now()
            let (ended, reader) = await runPayment(bed, true)
            let took = start.duration(to: bed.clock.now())
            #expect(took <= .seconds(75), "\(fault) at \(command): \(ended) after \(took)")
            #expect(!bed.hasTransfersInFlight, "\(fault) at \(command)")
            #expect(Self.isExpected(ended, fault, command), "\(fault) at \(command): \(ended)")
            guard let reader else { continue }
            bed.steer("faults clear")
            bed.steer("remove")
            bed.steer("insert visa-credit")
            let again = try await bed.start(reader, [.contact])
            #expect(name(again) == "online contactChip", "after \(fault) at \(command)")
            #expect(
                name(try await reader.complete(hostApproval, until: bed.after(30))) == "approved contactChip",
                "after \(fault) at \(command)")
        }
    }

    /// Faults that cost nothing, those that a second try of a greeting mends, and those that end a payment.
    private static func isExpected(_ ended: String, _ fault: String, _ command: Int) -> Bool {
        let name = fault.prefix { $0 != " " }
        switch name {
        case "noise-before", "stale", "twice", "unsolicited", "split-at", "split":
            return ended == "approved contactChip"
        case "late" where fault == "late 700": return ended == "approved contactChip"
        default: break
        }
        // The greeting, and the question for the result, are asked again.
        if command <= greeting || command == commands { return ended == "approved contactChip" || ended == "silent" }
        return ["silent", "cardNotInserted", "approved contactChip"].contains(ended)
    }

    @Test("an answer cut in two at every byte")
    func everyCut() async throws {
        let bed = try NEO2Bed(.stream)
        let reader = try await bed.open()
        var place = 1
        // The answer to 60-11 is the longest: the cuts go on until one falls behind its end.
        while place < 2000 {
            bed.steer("insert visa-credit")
            bed.steer("fault 2 split-at \(place)")
            let stop = try await bed.start(reader, [.contact])
            #expect(name(stop) == "online contactChip", "cut at \(place)")
            await reader.abandon()
            bed.steer("remove")
            bed.steer("faults clear")
            guard place < 360 else { break }
            place += 1
        }
    }

    @Test("unplugging at every command is one error", arguments: NEO2LinkForm.allCases)
    func unplugged(form: NEO2LinkForm) async throws {
        for moment in ["unplug-before", "unplug-after", "unplug-half"] {
            for command in 1...Self.commands {
                let bed = try NEO2Bed(form, ["card": "visa-credit"])
                bed.steer("fault \(command) \(moment)")
                let (ended, reader) = await runPayment(bed, true)
                #expect(ended == "gone", "\(moment) at \(command)")
                #expect(!bed.hasTransfersInFlight)
                await #expect(throws: ReaderError(.gone, during: "")) {
                    guard let reader else { throw ReaderError(.gone, during: "opening") }
                    _ = try await bed.start(reader, [.contact])
                }
                await reader?.close()
                bed.steer("plug")
                bed.steer("remove")
                bed.steer("insert visa-credit")
                let (after, _) = await runPayment(bed, true)
                #expect(after == "approved contactChip", "after \(moment) at \(command)")
            }
        }
    }

    @Test("unplugging while a card is awaited, tapped and answered")
    func unpluggedWhileWaiting() async throws {
        for command in ["after 1500 unplug", "after 7000 unplug"] {
            let bed = try NEO2Bed()
            let reader = try await bed.open()
            bed.steer(command)
            await #expect(throws: ReaderError(.gone, during: "")) { _ = try await bed.start(reader) }
            await reader.abandon()
            await reader.close()
        }
    }

    @Test("swipes of burst mode are noise", arguments: NEO2LinkForm.allCases)
    func burst(form: NEO2LinkForm) async throws {
        let bed = try NEO2Bed(form)
        bed.steer("swipe visa-credit 101")
        let reader = try await bed.open()
        bed.steer("swipe visa-credit 101")
        #expect(name(try await bed.start(reader, [.magneticStripe])) == "online magneticStripe")
    }

    @Test("events and interim answers at any time are passed over", arguments: NEO2LinkForm.allCases)
    func unasked(form: NEO2LinkForm) async throws {
        let bed = try NEO2Bed(form, ["chatty": "yes"])
        let reader = try await bed.open()
        for (time, command) in [(10, "event 01 11"), (20, "interim 0E"), (30, "event 7F FF"), (40, "interim 63")] {
            bed.steer("after \(time) \(command)")
        }
        bed.steer("after 500 insert visa-credit")
        #expect(name(try await bed.start(reader, [.contact])) == "online contactChip")
    }

    @Test("a status that is no answer is named with its byte")
    func statuses() {
        for byte in UInt8.min...UInt8.max {
            let error = NEO2Failure(status: .init(rawValue: byte), operation: "asking").readerError
            #expect(error.detail?.hasPrefix("status \(hex([byte])), ") == true)
        }
        let known = NEO2Failure(status: .commandNotAllowed, operation: "asking").readerError
        #expect(known.code == .unsupported && known.detail == "status 0B, command not allowed")
        let unknown = NEO2Failure(status: .init(rawValue: 0x99), operation: "asking").readerError
        #expect(unknown.code == .protocolViolation && unknown.detail == "status 99, not published")
    }
}
