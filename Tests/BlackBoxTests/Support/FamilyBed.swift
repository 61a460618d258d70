import Foundation
import Synchronization
import Testing

/// What a reader of each family hangs on where it stands on a counter: USB through the real libusb, or a serial line.
enum FamilyWire: String, Sendable, CaseIterable, CustomTestStringConvertible {
    case ccidOnUSB = "CCID on USB"
    case neo2OnUSB = "NEO2 on USB"
    case neo2OnLine = "NEO2 on a line"
    case qposOnLine = "QPOS on a line"
    case mpiOnLine = "MPI on a line"

    var testDescription: String { rawValue }

    var family: String { String(rawValue.prefix { $0 != " " }).lowercased() }
    var isUSB: Bool { self == .ccidOnUSB || self == .neo2OnUSB }
    /// It looks for a tap for five seconds before it looks into the slot.
    var prefersTaps: Bool { family == "neo2" }
}

/// A kiosk with one mock reader at its wire and an acquirer's host, each a process of its own or in this one.
final class FamilyBed: Sendable {
    let wire: FamilyWire
    let host: HostProcess
    private let bus: MockReader
    private let line: Mutex<PtyReader?>
    /// What the configuration calls the line, whatever its node is just now: as /dev/serial/by-id does.
    private let link: String

    struct Refused: Error {
        var command: String
        var complaint: String
    }

    /// - Parameters:
    ///   - card: a profile's name, or none.
    ///   - isTapped: how it comes.
    ///   - takesStripes: after a chip that cannot be read.
    init(_ wire: FamilyWire, card: String, isTapped: Bool = false, takesStripes: Bool = false) async throws {
        self.wire = wire
        link = try Workbench.mine().path("reader")
        let entry = isTapped ? "tapped" : "inserted"
        var kiosk: [String: Any] = ["payments": ["magneticStripe": takesStripes ? "fallback" : "never"]]
        if wire.isUSB {
            bus = try await MockReader("\(wire.family):card=\(card)" + (isTapped ? ",entry=tapped" : ""))
            line = Mutex(nil)
        } else {
            // Without a bus of ours a real reader on this machine would be one too many.
            bus = try await MockReader("reference:plugged=no")
            let reader = try PtyReader(wire.family, card: card, entry: entry)
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: reader.node)
            line = Mutex(reader)
            kiosk["readers"] = ["ttys": [["path": link, "family": wire.family, "baud": 115_200]]]
        }
        host = try await HostProcess(kiosk: kiosk)
    }

    func steer(_ command: String) async throws {
        guard let reader = line.withLock({ $0 }) else { return try await bus.steer("1-1 " + command) }
        if let complaint = reader.steer(command) { throw Refused(command: command, complaint: complaint) }
    }

    func unplug() async throws {
        guard let reader = line.withLock({ $0 }) else { return try await bus.steer("1-1 unplug") }
        await reader.unplug()
    }

    /// The reader is there again, with a card in it, or before it.
    func plugWithCard() async throws {
        let verb = wire.prefersTaps ? "tap" : "insert"
        guard let gone = line.withLock({ $0 }) else {
            try await bus.steer("1-1 plug")
            // It may be in the slot still.
            if wire.prefersTaps { return try await steer("tap visa-credit") }
            _ = try? await steer("remove")
            return try await steer("insert visa-credit")
        }
        await gone.close()
        let reader = try PtyReader(wire.family, card: "none")
        line.withLock { $0 = reader }
        try FileManager.default.removeItem(atPath: link)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: reader.node)
        try await steer(verb + " visa-credit")
    }

    /// A card for the next sale, at a reader that has none.
    func bringCard() async throws {
        try await steer((wire.prefersTaps ? "tap" : "insert") + " visa-credit")
    }

    /// With prompts, as at a kiosk.
    func sale(_ amount: String, _ more: [String] = []) throws -> RunningProgram {
        var program = bus.seen(
            by: readerctl(["sale", "--amount", amount, "--json", "--config", host.configuration] + more))
        program.isInteractive = true
        program.environment["NO_COLOR"] = "1"
        return try Workbench.mine().start(program)
    }

    /// Ends everything.
    /// - Returns: what the host has booked and not reversed, in minor units.
    func close() async throws -> Int {
        let totals = try await host.close()
        await line.withLock({ $0 })?.close()
        await bus.close()
        return try #require(totals["net"] as? Int)
    }
}
