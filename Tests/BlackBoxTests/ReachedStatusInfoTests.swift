import Foundation
import Glibc
import Payments
import Testing

/// The catalogue of `statusinfo`: every code is reached through `readerctl`, with the text and the result of
/// docs/errors.md. A new code needs a scenario here.
@Suite(.blackBox, .enabled(if: Prerequisites.faketimeOnRungTwo == nil, "\(Prerequisites.faketimeOnRungTwo ?? "")"))
struct ReachedStatusInfoTests {
    /// What the caller was told, and the id of the transaction, if there is one.
    private struct Told {
        var result: String
        var text: String
        var id: String

        /// From the JSON of `sale`, `refund` or `open`.
        init(_ ended: Ended) throws {
            (result, text, id) = (
                try ended.text("result"), try ended.text("statusinfo"), try ended.text("transactionid")
            )
        }

        /// From the URL that `open --print` writes.
        init(reply: Ended) throws {
            let reply = ReplyText(reply.output)
            result = try #require(reply["result"])
            text = try #require(reply["statusinfo"])
            id = reply["transactionid"] ?? ""
        }
    }

    private static let zone = "America/Mexico_City"
    private static let noon = "2026-11-30 12:00:00"

    @Test("every code is reached, with its text, its result and its stored name", arguments: StatusInfo.Code.allCases)
    func reached(code: StatusInfo.Code) async throws {
        let told = try await Self.told(code)
        let row = try ErrorsPage(section: "statusinfo").row(code.rawValue)
        var expected = row[1]
        for (place, value) in Self.fillings(code) { expected = expected.replacingOccurrences(of: place, with: value) }
        #expect(told.text == expected && !expected.contains("{"))
        #expect("`\(told.result)`" == row[2])
        guard !told.id.isEmpty else { return }
        #expect(try await run("transaction", told.id, "--json").text("status") == code.rawValue)
    }

    @Test("an approval has an empty text: of a sale, of a refund and in a reply")
    func approved() async throws {
        let sale = try await run(simulatedSale("100.00").frozen(at: Self.noon, zone: Self.zone))
        #expect(try Told(sale).result == "aprobada" && Told(sale).text == "")
        let back = try await run(
            refund(of: sale.text("transactionid")).frozen(at: "2026-11-30 12:05:00", zone: Self.zone))
        #expect(try Told(back).result == "aprobada" && Told(back).text == "")
        let reply = try await run(AppKiosk().open(AppKiosk.sale("100.00"), "--print"))
        #expect(reply.output.hasPrefix("myapp://result=aprobada&statusinfo=&amount="))
    }

    /// What the scenario of a code has in place of what stands in braces.
    private static func fillings(_ code: StatusInfo.Code) -> [(String, String)] {
        switch code {
        case .missingField: [("{clave}", "identifier")]
        case .invalidField: [("{clave}", "amount")]
        case .msiMinimum: [("{n}", "12")]
        case .issuerDeclined: [("{código}", "05"), ("{texto}", "Tarjeta declinada")]
        // The number of `gateway.notSent`.
        case .hostError: [("{código}", "6001")]
        default: []
        }
    }

    private static func told(_ code: StatusInfo.Code) async throws -> Told {
        switch code {
        case .cancelled: return try await waiting { sale, _ in sale.send(SIGINT) }
        case .missingField: return try await asked(AppKiosk.sale("100.00", id: ""))
        case .invalidField: return try await asked(AppKiosk.sale("1e2"))
        case .invalidToken:
            return try await asked(AppKiosk.sale("1.00").replacingOccurrences(of: AppKiosk.token, with: "wrong"))
        case .readerMissing: return try Told(try await run(simulatedSale("1.00", "--reader", "none")))
        case .readerUnusable: return try await onBus("ccid:level=character")
        case .readerLost: return try await waiting { _, reader in try await reader.steer("1-1 unplug") }
        case .cardRemoved: return try await sold("100.00", "pulled-first")
        case .cardFault: return try await sold("100.00", "mute")
        case .cardNotAccepted: return try await sold("100.00", "blocked-card")
        case .expired: return try await onBus("ccid:card=none", "--timeout", "1")
        case .photoRequired:
            return try await asked(AppKiosk.sale("1.00", ("showPhotoButton", "true"), ("mandatoryPhoto", "true")))
        case .msiMinimum:
            let kiosk = try AppKiosk(more: #""instalments":{"msi":{"12":"100.00"}}"#)
            return try Told(reply: try await run(kiosk.open(AppKiosk.sale("99.99", ("msi", "12")), "--print")))
        case .busy: return try await onBus("ccid", steering: "errno claim EBUSY")
        case .duplicate:
            _ = try await run(simulatedSale("1.00", "--identifier", "a"))
            return try Told(try await run(simulatedSale("2.00", "--identifier", "a")))
        case .notFound: return try Told(try await run(refund(of: "01M8N3RZ22PMK8CYZ1BD9NJRBF")))
        case .notApproved: return try await refunded(of: "50.00", at: "2026-11-30 12:05:00")
        case .tooSoon: return try await refunded(of: "100.00", at: "2026-11-30 12:00:59")
        case .tooLate: return try await refunded(of: "100.00", at: "2026-11-30 23:00:00")
        case .tooMuch: return try await refunded(of: "100.00", at: "2026-11-30 12:05:00", "--amount", "100.01")
        case .unknown: return try Told(try await run(simulatedSale("190.00").timeLimit("1")))
        case .reversed: return try await sold("100.00", "declines-second")
        case .reversedReaderLost: return try await lostAfterApproval()
        case .interrupted: return try await interrupted()
        case .declinedByOperator: return try await decided()
        case .issuerDeclined: return try await sold("50.00", "visa-credit")
        case .cardDeclined: return try await sold("100.00", "declines-first")
        case .hostError: return try Told(try await run(simulatedSale("1.00", "--config", withoutHost())))
        case .storageFailed:
            let kiosk = try AppKiosk()
            try FileManager.default.createDirectory(atPath: kiosk.workbench.data, withIntermediateDirectories: false)
            try Data("in the way".utf8).write(to: URL(fileURLWithPath: kiosk.workbench.data + "/photos"))
            let photo = kiosk.workbench.path("photo.png")
            try Data(OpenDeliveryTests.png).write(to: URL(fileURLWithPath: photo))
            let open = kiosk.open(AppKiosk.sale("1.00", ("showPhotoButton", "true")), "--print", "--photo", photo)
            return try Told(reply: try await run(open))
        case .notConfigured:
            let kiosk = try AppKiosk()
            chmod(kiosk.workbench.path("user-token"), 0o644)
            return try Told(reply: try await run(kiosk.open(AppKiosk.sale("1.00"), "--print")))
        }
    }

    private static func asked(_ url: String) async throws -> Told {
        try Told(reply: try await run(AppKiosk().open(url, "--print")))
    }

    private static func sold(_ amount: String, _ card: String) async throws -> Told {
        try Told(try await run(simulatedSale(amount, card: card)))
    }

    /// A sale at a reader on the mock bus.
    private static func onBus(_ device: String, _ more: String..., steering: String? = nil) async throws -> Told {
        let bus = try await MockReader(device)
        if let steering { try await bus.steer("1-1 " + steering) }
        let sale = bus.seen(by: readerctl(["sale", "--amount", "20.00", "--json"] + more))
        let told = try Told(try await run(sale))
        await bus.close()
        return told
    }

    /// A sale to which something happens while it waits for a card.
    private static func waiting(
        for event: (RunningProgram, MockReader) async throws -> Void
    ) async throws -> Told {
        let bus = try await MockReader("ccid:card=none")
        let sale = try bus.start("sale", "--amount", "20.00", "--json")
        _ = try await transaction(in: "readerArmed", while: sale)
        try await event(sale, bus)
        let told = try Told(await sale.end())
        await bus.close()
        return told
    }

    /// A refund of a sale that was made at noon in Mexico City.
    private static func refunded(of amount: String, at moment: String, _ more: String...) async throws -> Told {
        let sale = try await run(simulatedSale(amount).frozen(at: noon, zone: zone))
        var program = refund(of: try sale.text("transactionid"))
        program.arguments += more
        return try Told(try await run(program.frozen(at: moment, zone: zone)))
    }

    /// A sale whose reader leaves between the issuer's approval and the card's end: at the first of its commands that
    /// comes so late.
    private static func lostAfterApproval() async throws -> Told {
        for command in 5...40 {
            let bus = try await MockReader("ccid:card=visa-credit,level=short")
            try await bus.steer("1-1 fault \(command) unplug-before")
            let told = try Told(try await bus.run("sale", "--amount", "20.00", "--json"))
            await bus.close()
            if told.text != "Se perdió la conexión con el lector" { return told }
        }
        throw Unreached()
    }

    private struct Unreached: Error {}

    /// The same sale again, after the program that had begun it was killed while it waited for a card.
    private static func interrupted() async throws -> Told {
        let bus = try await MockReader("ccid:card=none")
        let arguments = ["sale", "--amount", "20.00", "--json", "--identifier", "a"]
        let sale = try Workbench.mine().start(bus.seen(by: readerctl(arguments)))
        _ = try await transaction(in: "readerArmed", while: sale)
        sale.send(SIGKILL)
        _ = await sale.end()
        let told = try Told(try await run(bus.seen(by: readerctl(arguments))))
        await bus.close()
        return told
    }

    /// The same sale again, after a day on which nobody answered and the decision of a person.
    private static func decided() async throws -> Told {
        let sale = try simulatedSale("190.00", "--identifier", "a").timeLimit("1")
        let id = try await run(sale).text("transactionid")
        let resolve = readerctl(["resolve", id, "--config", try withoutHost()])
        // Ten attempts are enough; on a busy machine one may end before it has asked.
        for _ in 0..<20 where try await run("transaction", id, "--json").text("state") != "manualReview" {
            _ = try await run(resolve.later(bySeconds: 25 * 3600))
        }
        #expect(try await run("transaction", id, "--json").text("state") == "manualReview")
        #expect(try await run("resolve", id, "--as", "declined").status == 0)
        return try Told(try await run(sale))
    }

    /// A configuration whose host nobody is.
    private static func withoutHost() throws -> String {
        let file = try Workbench.mine().path("without-host.json")
        try Data(#"{"gateway":{"kind":"iso8583","host":"127.0.0.1:1"}}"#.utf8).write(to: URL(fileURLWithPath: file))
        return file
    }
}
