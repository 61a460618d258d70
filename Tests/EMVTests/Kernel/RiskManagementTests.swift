import BERTLV
import EMV
import Money
import Testing

/// EMV Book 3, 10.6. The payment is of 115.00.
@Suite struct RiskManagementTests {
    /// What the merchant knows of the test card with sequence number 01, and of no other.
    private struct History: CardHistory {
        var isListed = false
        var stored: Int64 = 0
        private let card = PAN(compressedNumeric: bytes("4761739001010119"))

        init(isListed: Bool = false, stored: Int64 = 0) {
            self.isListed = isListed
            self.stored = stored
        }

        func isOnExceptionFile(_ pan: PAN, sequenceNumber: UInt8?) -> Bool {
            isListed && pan == card && sequenceNumber == 1
        }

        func storedOfflineAmount(_ pan: PAN, sequenceNumber: UInt8?) -> Int64 {
            pan == card && sequenceNumber == 1 ? stored : 0
        }
    }

    /// The TVR at the end of a dialogue with the kiosk of this type.
    private static func verificationResults(
        _ entry: TerminalApplication, type: TerminalType = .unattendedOfflineWithOnline,
        history: any CardHistory = NoCardHistory(), minorUnits: Int64 = 11_500, number: Int = 99,
        isForcedOnline: Bool = false, objects: [String: String] = [:], profile: String = "1C00", steps: String = "",
        isPerformed: Bool = true, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> String? {
        var card = KernelCard()
        card.profile = profile
        card.objects["5F34"] = "01"
        card.objects.merge(objects) { $1 }
        var terminal = Replay.terminal([entry])
        terminal.terminalType = type
        terminal.history = history
        var transaction = try Replay.transaction(minorUnits)
        transaction.randomSelectionNumber = number
        transaction.isForcedOnline = isForcedOnline
        let replay = try replay(
            "\(card.reading)\(steps)\n80AE* < \(KernelCard.cryptogram("00"))9000", terminal: terminal,
            transaction: transaction, sourceLocation: sourceLocation)
        #expect(replay.value(0x9B) == (isPerformed ? "6800" : "6000"), sourceLocation: sourceLocation)
        return replay.value(0x95)
    }

    private static func entry(
        floor: Int64 = 20_000, threshold: Int64 = 0, target: Int = 0, maximum: Int = 0
    ) -> TerminalApplication {
        var entry = TerminalApplication.visa
        entry.floorLimit = floor
        entry.threshold = threshold
        entry.targetPercentage = target
        entry.maximumTargetPercentage = maximum
        return entry
    }

    @Test(
        "the floor limit is met by the amount with what was stored before",
        arguments: [
            (11_501, 0, "00"), (11_500, 0, "80"), (11_499, 0, "80"), (0, 0, "80"),
            (20_000, 8_499, "00"), (20_000, 8_500, "80"), (20_000, 8_501, "80"),
            // A store that is broken can only send the payment to the issuer.
            (20_000, .max, "80"), (11_500, -1, "80"), (11_501, -1, "00"),
        ] as [(Int64, Int64, String)])
    func floorLimit(floor: Int64, stored: Int64, fourth: String) throws {
        #expect(
            try Self.verificationResults(Self.entry(floor: floor), history: History(stored: stored))
                == "800000\(fourth)00")
    }

    // By index: the runner prints arguments, and no output may hold a card number.
    static let otherCards = [["5F34": "02"], ["5A": "4111111111111111"]]

    @Test("what another card paid does not count", arguments: otherCards.indices)
    func otherCard(index: Int) throws {
        let objects = Self.otherCards[index]
        let history = History(isListed: true, stored: 50_000)
        #expect(
            try Self.verificationResults(Self.entry(), history: history, objects: objects) == "8000000000")
    }

    @Test("a card on the exception file")
    func exceptionFile() throws {
        #expect(try Self.verificationResults(Self.entry(), history: History(isListed: true)) == "9000000000")
    }

    @Test("the merchant wants the issuer to be asked")
    func forced() throws {
        #expect(try Self.verificationResults(Self.entry(), isForcedOnline: true) == "8000000800")
    }

    @Test("without its bit in the AIP none of this is done")
    func notAskedFor() throws {
        let found = try Self.verificationResults(
            Self.entry(floor: 0), history: History(isListed: true), isForcedOnline: true,
            objects: ["9F14": "00", "9F23": "00"], profile: "1400", isPerformed: false)
        #expect(found == "8000000000")
    }

    @Test(
        "random selection on both sides of the percentage",
        arguments: [
            // Below the threshold: the target percentage.
            (entry(threshold: 11_501, target: 20, maximum: 80), 20, true),
            (entry(threshold: 11_501, target: 20, maximum: 80), 21, false),
            (entry(threshold: 11_501, target: 0, maximum: 99), 1, false),
            (entry(threshold: 11_501, target: 99, maximum: 99), 99, true),
            // At the threshold nothing is added yet.
            (entry(threshold: 11_500, target: 20, maximum: 80), 20, true),
            (entry(threshold: 11_500, target: 20, maximum: 80), 21, false),
            // Above it: 20 + 60 x 6,500 / 15,000 = 46.
            (entry(threshold: 5_000, target: 20, maximum: 80), 46, true),
            (entry(threshold: 5_000, target: 20, maximum: 80), 47, false),
            // 10 + 70 x 6,499 / 14,999 = 40 (40.33 cut off).
            (entry(threshold: 5_001, target: 10, maximum: 80), 40, true),
            (entry(threshold: 5_001, target: 10, maximum: 80), 41, false),
            // Just below the floor limit: 20 + 60 x 11,500 / 11,501 = 79.
            (entry(floor: 11_501, target: 20, maximum: 80), 79, true),
            (entry(floor: 11_501, target: 20, maximum: 80), 80, false),
            // Threshold zero and no growth.
            (entry(target: 5, maximum: 5), 5, true), (entry(target: 5, maximum: 5), 6, false),
        ])
    func random(entry: TerminalApplication, number: Int, isSelected: Bool) throws {
        let found = try Self.verificationResults(entry, number: number)
        #expect(found == (isSelected ? "8000001000" : "8000000000"))
    }

    @Test("what the floor limit sends to the issuer is not selected as well")
    func randomAboveFloor() throws {
        let found = try Self.verificationResults(Self.entry(floor: 100, target: 99, maximum: 99), number: 1)
        #expect(found == "8000008000")
    }

    @Test(
        "a terminal that has no choice selects nothing",
        arguments: [TerminalType.unattendedOnlineOnly, .unattendedOfflineOnly])
    func noChoice(type: TerminalType) throws {
        let found = try Self.verificationResults(Self.entry(target: 99, maximum: 99), type: type, number: 1)
        #expect(found == "8000000000")
    }

    struct Velocity: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// Answers to GET DATA 9F36 and 9F13.
        let counter: String
        let lastOnline: String
        /// TVR bytes 2 and 4.
        let second: String
        let fourth: String

        init(_ testDescription: String, _ counter: String, _ lastOnline: String, _ second: String, _ fourth: String) {
            self.testDescription = testDescription
            self.counter = counter
            self.lastOnline = lastOnline
            self.second = second
            self.fourth = fourth
        }

        static func counter(_ value: String) -> String { tlv("9F36", value) + "9000" }
        static func last(_ value: String) -> String { tlv("9F13", value) + "9000" }
    }

    /// The card's limits are 3 and 5.
    static let velocities = [
        Velocity("at the lower limit", Velocity.counter("0013"), Velocity.last("0010"), "00", "00"),
        Velocity("above the lower limit", Velocity.counter("0014"), Velocity.last("0010"), "00", "40"),
        Velocity("at the upper limit", Velocity.counter("0015"), Velocity.last("0010"), "00", "40"),
        Velocity("above the upper limit", Velocity.counter("0016"), Velocity.last("0010"), "00", "60"),
        Velocity("far above", Velocity.counter("FFFF"), Velocity.last("0001"), "00", "60"),
        Velocity("the last one was online", Velocity.counter("0010"), Velocity.last("0010"), "00", "60"),
        Velocity("a counter that went back", Velocity.counter("000F"), Velocity.last("0010"), "00", "60"),
        Velocity("a new card within its limits", Velocity.counter("0002"), Velocity.last("0000"), "08", "00"),
        Velocity("a new card above its limits", Velocity.counter("0009"), Velocity.last("0000"), "08", "60"),
        Velocity("a new card that never counted", Velocity.counter("0000"), Velocity.last("0000"), "08", "60"),
        Velocity("no counter", "6A88", Velocity.last("0010"), "00", "60"),
        Velocity("no counter, and new", "6A88", Velocity.last("0000"), "08", "60"),
        Velocity("no last online counter", Velocity.counter("0012"), "6A88", "00", "60"),
        Velocity("neither", "6D00", "6D00", "00", "60"),
        Velocity("a counter of one byte", tlv("9F36", "12") + "9000", Velocity.last("0010"), "00", "60"),
        Velocity("another object", Velocity.last("0012"), Velocity.last("0010"), "00", "60"),
        Velocity("a counter with a warning", tlv("9F36", "0012") + "6283", Velocity.last("0010"), "00", "60"),
    ]

    @Test("velocity", arguments: velocities)
    func velocity(test: Velocity) throws {
        let found = try Self.verificationResults(
            Self.entry(), objects: ["9F14": "03", "9F23": "05"],
            steps: "80CA9F3600 < \(test.counter)\n80CA9F1300 < \(test.lastOnline)")
        #expect(found == "80\(test.second)00\(test.fourth)00")
    }

    @Test(
        "without both limits nothing is asked",
        arguments: [["9F14": "03"], ["9F23": "05"], ["9F14": "03", "9F23": "0005"], ["9F14": "", "9F23": "05"]])
    func noLimits(objects: [String: String]) throws {
        #expect(try Self.verificationResults(Self.entry(), objects: objects) == "8000000000")
    }

    @Test("a terminal that always goes online may leave velocity out: nothing is asked")
    func withoutVelocity() throws {
        var card = KernelCard()
        card.objects.merge(["5F34": "01", "9F14": "03", "9F23": "05"]) { $1 }
        var terminal = Replay.terminal([Self.entry()])
        terminal.terminalType = .unattendedOnlineOnly
        terminal.checksVelocity = false
        let replay = try replay(
            "\(card.reading)\n80AE* < \(KernelCard.cryptogram("00"))9000", terminal: terminal)
        #expect(replay.value(0x9B) == "6800")
        #expect(replay.value(0x95) == "8000000000")
    }

    @Test(
        "the card gets the terminal's transaction category code, and a zero where there is none",
        arguments: [(UInt8(ascii: "R"), "52"), (nil, "00")] as [(UInt8?, String)])
    func transactionCategoryCode(code: UInt8?, given: String) throws {
        var card = KernelCard()
        card.objects["8C"] = "9F5301"
        var terminal = Replay.terminal([Self.entry()])
        terminal.transactionCategoryCode = code
        _ = try replay(
            "\(card.reading)80AE800001\(given)00 < \(KernelCard.cryptogram("00"))9000", terminal: terminal)
    }
}
