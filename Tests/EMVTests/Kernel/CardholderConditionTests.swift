import EMV
import Testing

/// EMV Book 3, Annex C3: when a rule of the CVM list applies.
@Suite struct CardholderConditionTests {
    private static let unattended: UInt8 = 0x24
    private static let attended: UInt8 = 0x21

    private static func check(
        _ condition: String, holds: Bool, _ type: TransactionType, _ terminal: UInt8,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let dialogue = VerifiedDialogue(
            list: VerifiedDialogue.noAmounts + "1F" + condition, terminalType: terminal, type: type)
        try dialogue.expect(
            holds ? "1F\(condition)02" : "3F0001", third: holds ? "00" : "80", sourceLocation: sourceLocation)
    }

    @Test(
        "unattended: goods, cash, cashback",
        arguments: [
            ("00", [true, true, true]), ("01", [false, true, false]), ("02", [true, false, false]),
            ("03", [true, true, true]), ("04", [false, false, false]), ("05", [false, false, true]),
        ])
    func unattended(condition: String, holds: [Bool]) throws {
        for (type, holds) in zip([TransactionType.goodsOrServices, .cash, .purchaseWithCashback], holds) {
            try Self.check(condition, holds: holds, type, Self.unattended)
        }
    }

    @Test(
        "attended: goods, cash, cashback",
        arguments: [
            ("00", [true, true, true]), ("01", [false, false, false]), ("02", [true, false, false]),
            ("03", [true, true, true]), ("04", [false, true, false]), ("05", [false, false, true]),
        ])
    func attended(condition: String, holds: [Bool]) throws {
        for (type, holds) in zip([TransactionType.goodsOrServices, .cash, .purchaseWithCashback], holds) {
            try Self.check(condition, holds: holds, type, Self.attended)
        }
    }

    @Test("conditions that nobody knows never hold", arguments: ["0A", "10", "7F", "80", "FF"])
    func unknown(condition: String) throws {
        try Self.check(condition, holds: false, .goodsOrServices, Self.unattended)
    }

    /// X = 115.00, Y = 500.00.
    private static let amounts = "00002CEC0000C350"

    @Test(
        "below, at and above the amounts",
        arguments: [
            ("06", 11_499, true), ("06", 11_500, false), ("06", 11_501, false),
            ("07", 11_499, false), ("07", 11_500, false), ("07", 11_501, true),
            ("08", 49_999, true), ("08", 50_000, false), ("08", 50_001, false),
            ("09", 49_999, false), ("09", 50_000, false), ("09", 50_001, true),
        ] as [(String, Int64, Bool)])
    func amount(condition: String, minorUnits: Int64, holds: Bool) throws {
        let dialogue = VerifiedDialogue(
            list: Self.amounts + "1F" + condition, objects: ["9F42": "0484"], minorUnits: minorUnits)
        try dialogue.expect(holds ? "1F\(condition)02" : "3F0001", third: holds ? "00" : "80")
    }

    @Test(
        "amounts in another currency, or in none, are not compared",
        arguments: ["06", "07", "08", "09"], ["0840", "04", nil] as [String?])
    func otherCurrency(condition: String, currency: String?) throws {
        for minorUnits: Int64 in [1, 99_999] {
            var dialogue = VerifiedDialogue(list: Self.amounts + "1F" + condition, minorUnits: minorUnits)
            dialogue.objects["9F42"] = currency
            try dialogue.expect("3F0001", third: "80")
        }
    }

    @Test("the amounts are unsigned")
    func largeAmounts() throws {
        let list = "FFFFFFFF80000000" + "1F06"
        try VerifiedDialogue(list: list, objects: ["9F42": "0484"], minorUnits: 4_294_967_294).expect(
            "1F0602", third: "00")
        try VerifiedDialogue(list: list, objects: ["9F42": "0484"], minorUnits: 4_294_967_295).expect(
            "3F0001", third: "80")
    }
}
