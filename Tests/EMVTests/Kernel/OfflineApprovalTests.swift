import BERTLV
import EMV
import Testing

/// A TC without the issuer needs the owner's word, where the terminal is told so. The action codes ask for nothing.
@Suite struct OfflineApprovalTests {
    private static func dialogue(
        _ rule: OfflineApprovalRule, _ rest: String, type: TerminalType = .unattendedOfflineWithOnline,
        online: String = "0000000000"
    ) throws -> Replay {
        var card = KernelCard()
        card.objects["9F0E"] = "0000000000"
        card.objects["9F0F"] = online
        card.objects["9F0D"] = "0000000000"
        var entry = TerminalApplication.visa
        entry.floorLimit = 100_000
        entry.actionCodeOnline = bytes("0000000000")
        entry.actionCodeDefault = bytes("0000000000")
        var terminal = Replay.terminal([entry])
        terminal.terminalType = type
        var transaction = try Replay.transaction()
        transaction.offlineApproval = rule
        return try replay(card.reading + rest, terminal: terminal, transaction: transaction)
    }

    private static let always = "8000000000"
    private static let tc = KernelCard.cryptogram("40")
    private static let aac = KernelCard.cryptogram("00")

    @Test("the first TC, allowed: Y1")
    func firstAllowed() throws {
        let replay = try Self.dialogue(.onPermission, "allow yes\n80AE40* < \(Self.tc)9000")
        #expect(replay.outcome == .approvedOffline(afterFailedAttempt: false))
        #expect(replay.value(0x8A) == "5931")
    }

    @Test("the first TC, not allowed: the issuer is asked, or a terminal without a line declines")
    func firstRefused() throws {
        let asked = try Self.dialogue(
            .onPermission, "allow no\n80AE80* < \(KernelCard.arqc)9000\nhost 00 yes\n80AE40* < \(Self.tc)9000")
        #expect(asked.outcome == .approved && asked.kernel.hasAuthorisationRequestCryptogram)
        let alone = try Self.dialogue(
            .onPermission, "allow no\n80AE00* < \(Self.aac)9000", type: .unattendedOfflineOnly)
        #expect(alone.outcome == .declinedOffline(.cardOrTerminalDecision))
        #expect(alone.value(0x8A) == "5A31")
    }

    @Test("the second TC, after nobody answered: Y3 when allowed, Z3 when not", arguments: [true, false])
    func second(isAllowed: Bool) throws {
        let (type, answer) = isAllowed ? ("40", Self.tc) : ("00", Self.aac)
        let replay = try Self.dialogue(
            .onPermission,
            """
            80AE80* < \(KernelCard.arqc)9000
            host unable
            allow \(isAllowed ? "yes" : "no")
            80AE\(type)* < \(answer)9000
            """, online: Self.always)
        #expect(replay.outcome == (isAllowed ? .approvedOffline(afterFailedAttempt: true) : .declinedUnableToGoOnline))
        #expect(replay.value(0x8A) == (isAllowed ? "5933" : "5A33"))
    }

    @Test("where it is never allowed nobody is asked, and no TC comes about")
    func never() throws {
        let first = try Self.dialogue(
            .never, "80AE80* < \(KernelCard.arqc)9000\nhost unable\n80AE00* < \(Self.aac)9000")
        #expect(first.outcome == .declinedUnableToGoOnline && first.value(0x8A) == "5A33")
        let alone = try Self.dialogue(.never, "80AE00* < \(Self.aac)9000", type: .unattendedOfflineOnly)
        #expect(alone.outcome == .declinedOffline(.cardOrTerminalDecision))
    }

    @Test("where the action codes want no TC nobody is asked for one")
    func notWanted() throws {
        let replay = try Self.dialogue(
            .onPermission, "80AE80* < \(KernelCard.arqc)9000\nhost unable\n80AE00* < \(Self.aac)9000",
            type: .unattendedOnlineOnly)
        #expect(replay.outcome == .declinedUnableToGoOnline)
    }

    @Test("an answer that nobody asked for is a misuse, and changes nothing")
    func outOfTurn() throws {
        var kernel = ContactKernel(terminal: Replay.terminal(), transaction: try Replay.transaction())
        guard case .finished(.cardError) = kernel.offlineApprovalAnswered(true) else {
            Issue.record("taken")
            return
        }
        guard case .transmit = kernel.start() else {
            Issue.record("not started")
            return
        }
    }
}
