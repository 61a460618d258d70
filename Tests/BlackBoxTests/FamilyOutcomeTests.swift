import Foundation
import Glibc
import Testing

/// How a sale can end at a reader of any family, and what everybody then says of it.
struct FamilyOutcome: Sendable, CustomTestStringConvertible {
    /// What happens while the sale runs.
    enum Event: Sendable {
        case nothing
        /// Ctrl-C while a card is waited for; while the host has the word.
        case interrupt, lateInterrupt
        /// The chip has failed: the card comes out, and its stripe is swiped as soon as that is asked for.
        case swipe
        /// The plug is pulled while a card is waited for; while the host has the word.
        case unplug, lateUnplug
    }

    /// The reply, the exit status, the ledger's state and what the host keeps, in minor units.
    struct End: Sendable {
        var status: Int32
        var result: String
        var outcome: String
        var statusInfo: String
        var state: String
        var net = 0
    }

    var name: String
    var card = "visa-credit"
    var amount = "20.00"
    var arguments: [String] = []
    /// A tapped card has gone when the host answers: nothing can fail then.
    var needsSlot = false
    var takesStripes = false
    var event = Event.nothing
    var end: End
    /// Readers without a stripe end otherwise.
    var endWithoutStripe: End?

    var testDescription: String { name }

    private static let approved = End(
        status: 0, result: "aprobada", outcome: "approved", statusInfo: "", state: "approved", net: 20_00)
    private static let chipFailed = End(
        status: 5, result: "error", outcome: "failed", statusInfo: "La tarjeta no respondió correctamente",
        state: "failed")

    static let all = [
        FamilyOutcome(name: "a sale", end: approved),
        FamilyOutcome(
            name: "the host declines", amount: "50.00",
            end: End(
                status: 5, result: "rechazada", outcome: "declined", statusInfo: "05 Tarjeta declinada",
                state: "declined")),
        FamilyOutcome(
            name: "Ctrl-C while a card is waited for", card: "none", event: .interrupt,
            end: End(
                status: 6, result: "error", outcome: "cancelled", statusInfo: "La transacción fue cancelada",
                state: "cancelled")),
        FamilyOutcome(name: "Ctrl-C when the host has been asked", event: .lateInterrupt, end: approved),
        FamilyOutcome(
            name: "no card in time", card: "none", arguments: ["--timeout", "1"],
            end: End(
                status: 6, result: "error", outcome: "expired", statusInfo: "Se agotó el tiempo de la transacción",
                state: "expired")),
        FamilyOutcome(
            name: "the chip fails and the stripe is taken", card: "mute", needsSlot: true, takesStripes: true,
            event: .swipe, end: approved, endWithoutStripe: chipFailed),
        FamilyOutcome(
            name: "the chip fails and the stripe is not taken", card: "mute", needsSlot: true, end: chipFailed),
        FamilyOutcome(
            name: "unplugged while a card is waited for", card: "none", event: .unplug,
            end: End(
                status: 4, result: "error", outcome: "failed", statusInfo: "Se perdió la conexión con el lector",
                state: "failed")),
        FamilyOutcome(
            name: "unplugged when the host has been asked", needsSlot: true, event: .lateUnplug,
            end: End(
                status: 4, result: "error", outcome: "failed", statusInfo: "La transacción fue revertida",
                state: "reversed")),
    ]
}

/// A command of a sale at which the plug is pulled, counted from the first that the reader gets.
struct UnpluggedCommand: Sendable, CustomTestStringConvertible {
    let wire: FamilyWire
    let number: Int
    let isAfterHost: Bool

    var testDescription: String { "\(wire.rawValue), command \(number)" }

    /// The one that brings the first cryptogram, and those that bring the host's answer to a card in a slot.
    static let all = [
        UnpluggedCommand(wire: .ccidOnUSB, number: 12, isAfterHost: false),
        UnpluggedCommand(wire: .ccidOnUSB, number: 13, isAfterHost: true),
        UnpluggedCommand(wire: .ccidOnUSB, number: 14, isAfterHost: true),
        UnpluggedCommand(wire: .neo2OnUSB, number: 7, isAfterHost: false),
        UnpluggedCommand(wire: .neo2OnLine, number: 7, isAfterHost: false),
        UnpluggedCommand(wire: .qposOnLine, number: 5, isAfterHost: false),
        UnpluggedCommand(wire: .qposOnLine, number: 6, isAfterHost: true),
        UnpluggedCommand(wire: .mpiOnLine, number: 6, isAfterHost: false),
        UnpluggedCommand(wire: .mpiOnLine, number: 7, isAfterHost: true),
    ]
}

/// One list of outcomes, run against a reader of each family over its own wire: the real libusb and libudev, or a pseudo
/// terminal.
@Suite(.blackBox, .enabled(if: Prerequisites.rungTwo == nil, "\(Prerequisites.rungTwo ?? "")"))
struct FamilyOutcomeTests {
    @Test(
        "a sale ends alike at a reader of every family: reply, exit status, ledger and host",
        arguments: FamilyWire.allCases, FamilyOutcome.all)
    func outcome(wire: FamilyWire, outcome: FamilyOutcome) async throws {
        let bed = try await FamilyBed(
            wire, card: outcome.card, isTapped: wire.prefersTaps && !outcome.needsSlot,
            takesStripes: outcome.takesStripes)
        let ended = try await run(outcome, at: bed)
        let hasStripe = wire.family != "ccid"
        let end = hasStripe ? outcome.end : outcome.endWithoutStripe ?? outcome.end
        #expect(ended.status == end.status, "\(ended)")
        #expect(try ended.text("result") == end.result)
        #expect(try ended.text("outcome") == end.outcome)
        #expect(try ended.text("statusinfo") == end.statusInfo)
        let listed = try await BlackBoxTests.run("transactions", "--json").list("transactions")
        #expect(listed.map { $0["state"] as? String } == [end.state])
        let more = try await nextSale(after: outcome, at: bed)
        #expect(try await bed.close() == end.net + more, "\(ended)")
    }

    /// A reader that was left, or that comes back, takes the next sale at once.
    /// - Returns: what the host has got by it.
    private func nextSale(after outcome: FamilyOutcome, at bed: FamilyBed) async throws -> Int {
        switch outcome.event {
        case .unplug, .lateUnplug: try await bed.plugWithCard()
        case _ where outcome.card == "none": try await bed.bringCard()
        default: return 0
        }
        let ended = try await bed.sale("7.00").end()
        #expect(ended.status == 0, "the next sale: \(ended)")
        return 7_00
    }

    @Test(
        "a plug pulled in the middle of the dialogue: nothing is charged; after the host's approval it is taken back",
        arguments: UnpluggedCommand.all, ["unplug-before", "unplug-half", "unplug-after"])
    func unplugged(at command: UnpluggedCommand, fault: String) async throws {
        let bed = try await FamilyBed(command.wire, card: "visa-credit", isTapped: command.wire.prefersTaps)
        try await bed.steer("fault \(command.number) \(fault)")
        let ended = try await bed.sale("20.00").end()
        #expect(ended.status == 4, "\(ended)")
        #expect(try ended.text("outcome") == "failed")
        #expect(
            try ended.text("statusinfo")
                == (command.isAfterHost ? "La transacción fue revertida" : "Se perdió la conexión con el lector"))
        let listed = try await BlackBoxTests.run("transactions", "--json").list("transactions")
        #expect(listed.map { $0["state"] as? String } == [command.isAfterHost ? "reversed" : "failed"])
        #expect(try await bed.close() == 0)
    }

    private func run(_ outcome: FamilyOutcome, at bed: FamilyBed) async throws -> Ended {
        let holds = outcome.event == .lateInterrupt || outcome.event == .lateUnplug
        if holds { bed.host.hold() }
        let sale = try bed.sale(outcome.amount, outcome.arguments)
        switch outcome.event {
        case .nothing: break
        case .interrupt:
            #expect(await sale.hasTold(bed.invitation))
            sale.send(SIGINT)
            #expect(await sale.hasTold("Cancelling."))
        case .lateInterrupt:
            #expect(await sale.hasTold("Authorising"))
            sale.send(SIGINT)
            #expect(await sale.hasTold("The payment can no longer be cancelled."))
        case .swipe:
            guard bed.wire.family != "ccid" else { break }
            #expect(await sale.hasTold("Swipe the card's stripe"))
            try await bed.steer("remove")
            try await bed.steer("swipe visa-credit")
        case .unplug:
            #expect(await sale.hasTold(bed.invitation))
            try await bed.unplug()
        case .lateUnplug:
            #expect(await sale.hasTold("Authorising"))
            try await bed.unplug()
        }
        if holds { bed.host.release() }
        return await sale.end()
    }
}

extension FamilyBed {
    /// What the person is told while the reader waits for a card.
    fileprivate var invitation: String {
        wire.family == "ccid" ? "Insert card" : "Insert, tap or swipe card"
    }
}
