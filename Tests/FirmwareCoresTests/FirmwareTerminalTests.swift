import FirmwareCores
import Testing

/// The EMV of a reader's firmware with the simulated cards. That its cryptograms verify is shown in GatewaysTests.
struct FirmwareTerminalTests {
    static let request: TerminalObjects = {
        var objects = TerminalObjects()
        objects["9F02"] = hex("000000011500")
        objects["9F03"] = hex("000000000000")
        objects["9A"] = hex("261130")
        objects["9F21"] = hex("120000")
        objects["9C"] = hex("00")
        objects["5F2A"] = hex("0484")
        return objects
    }()

    static func payment(_ interfaces: Set<CardPresentation> = [.inserted, .tapped, .swiped]) -> TerminalPayment {
        TerminalPayment(objects: request, interfaces: interfaces)
    }

    private func terminal(_ change: (inout FirmwareTerminal.Configuration) -> Void = { _ in }) -> FirmwareTerminal {
        var configuration = FirmwareTerminal.Configuration()
        change(&configuration)
        return FirmwareTerminal(configuration: configuration)
    }

    private func online(_ step: TerminalStep) throws -> TerminalResult {
        guard case .online(let result) = step else {
            Issue.record("not online: \(step)")
            throw CancellationError()
        }
        return result
    }

    @Test func insertedCardGoesOnline() throws {
        let terminal = terminal()
        #expect(isWaiting(terminal.start(Self.payment()), .presentCard))
        #expect(terminal.steer("insert visa-credit") == .cardPresented(.inserted))
        let result = try online(terminal.proceed())
        #expect(result.entry == .contact)
        let told = result.objects
        #expect(text(told["84"] ?? []) == "A0000000031010")
        #expect(text(told["50"] ?? []) == text(Array("VISA CREDIT".utf8)))
        #expect(text(told["9F27"] ?? []) == "80")
        #expect(text(told["9F36"] ?? []) == "0002")
        #expect(text(told["9F10"] ?? []) == "06010A03A00000")
        #expect(text(told["82"] ?? []) == "1C00")
        #expect(text(told["95"] ?? []) == "8000008000")
        #expect(text(told["9F02"] ?? []) == "000000011500")
        #expect(told["9F26"]?.count == 8)
        #expect(told["5A"] == nil && told["57"] == nil && told["5F20"] == nil)
        let seen = try #require(terminal.card?.log.last)
        #expect(seen.firstValue("9F37") == text(told["9F37"] ?? []))
        #expect(seen.firstAsked == 0x80)
    }

    @Test func sequenceCounterCountsInDecimal() throws {
        let terminal = terminal()
        terminal.present(EMVCardCore(profile: try #require(CardProfile.named("visa-credit"))), .inserted)
        for _ in 0..<11 { _ = terminal.start(Self.payment()) }
        #expect(text(try online(terminal.start(Self.payment())).objects["9F41"] ?? []) == "00000012")
    }

    @Test func approvalReachesTheCard() throws {
        let terminal = terminal()
        terminal.present(EMVCardCore(profile: try #require(CardProfile.named("visa-credit"))), .inserted)
        _ = try online(terminal.start(Self.payment()))
        var answer = TerminalObjects()
        answer["8A"] = Array("00".utf8)
        guard case .approved(let result) = terminal.complete(answer) else {
            Issue.record("not approved")
            return
        }
        #expect(text(result.objects["9F27"] ?? []) == "40")
        #expect(terminal.card?.log.last?.secondValue("8A") == "3030")
        #expect(!terminal.isActive)
    }

    @Test func wrongIssuerAuthenticationDeclines() throws {
        let terminal = terminal()
        terminal.present(EMVCardCore(profile: try #require(CardProfile.named("visa-credit"))), .inserted)
        _ = try online(terminal.start(Self.payment()))
        var answer = TerminalObjects()
        answer["8A"] = Array("00".utf8)
        answer["91"] = hex("00112233445566773030")
        guard case .declined(let result) = terminal.complete(answer) else {
            Issue.record("not declined")
            return
        }
        #expect(text(result.objects["95"] ?? []) == "8000008040")
        #expect(text(result.objects["9B"] ?? []) == "7800")
        #expect(terminal.card?.log.last?.issuerAuthenticated == false)
    }

    @Test(arguments: [
        ("declines-first", "declined"), ("approves-offline", "approved"), ("blocked-card", "cardBlocked"),
        ("blocked-application", "applicationBlocked"), ("gpo-refused", "notAccepted"), ("pulled", "cardRemoved"),
        ("pulled-first", "cardRemoved"), ("bad-afl", "cardFault"), ("missing-cdol1", "cardFault"),
        ("nonsense", "cardFault"), ("mute", "useStripe"), ("visa-no-pse", "online"), ("gpo-format-2", "online"),
        ("visa-t0", "online"), ("blocked-directory", "online"), ("fillers", "online"), ("no-name", "online"),
        ("two-applications", "choice"), ("asks-to-confirm", "choice"), ("mastercard-cda", "online"),
    ])
    func everyCardComesToItsStep(name: String, expected: String) throws {
        let terminal = terminal {
            // Only a terminal with a floor limit lets a card approve by itself.
            if name == "approves-offline" { $0.floorLimit = 100_000 }
            if name == "gpo-refused" { $0.offersChoice = false }
        }
        terminal.present(EMVCardCore(profile: try #require(CardProfile.named(name))), .inserted)
        #expect(Self.name(terminal.start(Self.payment())) == expected)
    }

    @Test func choiceIsByPriorityAndCanBeTaken() throws {
        let terminal = terminal()
        terminal.present(EMVCardCore(profile: try #require(CardProfile.named("two-applications"))), .inserted)
        guard case .choice(let labels) = terminal.start(Self.payment()) else {
            Issue.record("no choice")
            return
        }
        #expect(labels == ["VISA DEBIT", "VISA CREDIT"])
        #expect(Self.name(terminal.choose(2)) == "outOfTurn")
        let result = try online(terminal.choose(1))
        #expect(text(result.objects["4F"] ?? []) == "A0000000031010")
    }

    @Test func tappedCardGoesAndTheHostDecides() throws {
        let terminal = terminal()
        _ = terminal.start(Self.payment())
        #expect(terminal.steer("tap two-applications") == .cardPresented(.tapped))
        let result = try online(terminal.proceed())
        #expect(result.entry == .contactless)
        #expect(text(result.objects["4F"] ?? []) == "A0000000032010")
        #expect(terminal.card == nil)
        var answer = TerminalObjects()
        answer["8A"] = Array("05".utf8)
        #expect(Self.name(terminal.complete(answer)) == "declined")
    }

    @Test func stripeOfAChipCardIsRefusedUntilTheChipHasFailed() throws {
        let terminal = terminal()
        _ = terminal.start(Self.payment())
        _ = terminal.steer("swipe visa-credit")
        #expect(isWaiting(terminal.proceed(), .useChip))
        _ = terminal.steer("insert mute")
        #expect(isWaiting(terminal.proceed(), .useStripe))
        _ = terminal.steer("remove")
        _ = terminal.steer("swipe visa-credit")
        let result = try online(terminal.proceed())
        #expect(result.entry == .fallback)
        #expect(result.objects["9F26"] == nil)
    }

    @Test func stripeOnlyCardIsSwiped() throws {
        let terminal = terminal()
        _ = terminal.start(Self.payment([.swiped]))
        _ = terminal.steer("swipe visa-credit 101")
        let result = try online(terminal.proceed())
        #expect(result.entry == .stripe)
        let track = String(decoding: result.account.shown.track2, as: UTF8.self)
        #expect(track.hasSuffix("=30121011234500000?") && track.hasPrefix(";476173"))
        #expect(result.account.encrypted == nil)
    }

    @Test func securedReadingMasksAndEncrypts() throws {
        let terminal = terminal { $0.securing = .encrypted(.test) }
        for counter in ["00001", "00002"] {
            _ = terminal.start(Self.payment())
            _ = terminal.steer("swipe visa-credit 101")
            let account = try online(terminal.proceed()).account
            let masked = account.shown
            #expect(String(decoding: masked.track2, as: UTF8.self) == ";476173******0119=3012101**********?*")
            #expect(
                String(decoding: masked.track1, as: UTF8.self)
                    == "%*476173******0119^TEST CARDHOLDER/ONE^3012101**********?*")
            #expect(text(masked.accountNumber) == "476173CCCCCC0119")
            #expect(text(masked.track2Equivalent) == "476173CCCCCC0119D3012101CCCCCCCCCC")
            let serial = try #require(account.keySerialNumber)
            #expect(text(serial) == "FFFF9876543210E" + counter)
            let encrypted = try #require(account.encrypted)
            #expect(encrypted.track2.count % 8 == 0)
            let plain = AccountSecuring.KeyLadder.test.decrypt(encrypted.track2, keySerialNumber: serial)
            let clear = String(decoding: plain.prefix { $0 != 0 }, as: UTF8.self)
            #expect(clear.hasSuffix("=30121011234500000?") && clear.count == 36)
        }
    }

    /// The text forms of a result show nothing of the card: failed expectations print them.
    @Test func resultsDoNotPrintCards() throws {
        let terminal = terminal()
        terminal.present(EMVCardCore(profile: try #require(CardProfile.named("visa-credit"))), .inserted)
        let step = terminal.start(Self.payment())
        var printed = ""
        dump(step, to: &printed)
        printed += "\(step)"
        for fragment in ["4761", "71, 97", "CARDHOLDER", "57"] { #expect(!printed.contains(fragment)) }
    }

    @Test(arguments: ["insert", "insert nobody", "remove", "swipe visa-credit 10", "pull sometime"])
    func wrongSteeringIsComplainedAbout(command: String) {
        guard case .complaint = terminal().steer(command) else {
            Issue.record("taken: \(command)")
            return
        }
    }

    private func isWaiting(_ step: TerminalStep, _ prompt: TerminalPrompt) -> Bool {
        if case .waiting(prompt) = step { true } else { false }
    }

    static func name(_ step: TerminalStep) -> String {
        switch step {
        case .waiting(let prompt): prompt.rawValue
        case .choice: "choice"
        case .online: "online"
        case .approved: "approved"
        case .declined: "declined"
        case .ended(.cardFault): "cardFault"
        case .ended(let end): "\(end)"
        }
    }
}
