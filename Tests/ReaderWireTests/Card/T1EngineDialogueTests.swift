import ReaderWire
import Testing

/// One step of a dialogue: what the card does, then what the engine must answer. Blocks are written without NAD and
/// without LRC: PCB and information field.
private enum CardSays: Sendable {
    case block(String)
    case damaged(String)
    case nothing
}

private struct Dialogue: Sendable, CustomTestStringConvertible {
    let name: String
    let apdu: String
    let first: T1Engine.Action
    let steps: [(CardSays, T1Engine.Action)]
    var testDescription: String { name }

    init(_ name: String, _ apdu: String, _ first: T1Engine.Action, _ steps: [(CardSays, T1Engine.Action)]) {
        (self.name, self.apdu, self.first, self.steps) = (name, apdu, first, steps)
    }
}

@Suite struct T1EngineDialogueTests {
    private static let done = T1Engine.Action.complete(hex("9000"))

    /// IFSC is 5.
    @Test(
        arguments: [
            Dialogue("one block each way", "00B0000001", sends("00 00B0000001"), [(.block("00 9000"), done)]),
            Dialogue(
                "the command is chained", "00A4040002AABB00", sends("20 00A4040002"),
                [
                    (.block("90"), sends("40 AABB00")), (.block("00 9000"), done),
                ]),
            Dialogue(
                "the answer is chained", "00B0000001", sends("00 00B0000001"),
                [
                    (.block("20 0102"), sends("90")), (.block("60 0304"), sends("80")),
                    (.block("00 059000"), .complete(hex("01020304059000"))),
                ]),
            Dialogue(
                "both are chained", "00A4040006AABBCCDDEEFF00", sends("20 00A4040006"),
                [
                    (.block("90"), sends("60 AABBCCDDEE")), (.block("80"), sends("00 FF00")),
                    (.block("20 01"), sends("90")), (.block("40 9000"), .complete(hex("019000"))),
                ]),
            Dialogue(
                "a damaged answer is asked for again", "00B0000001", sends("00 00B0000001"),
                [
                    (.damaged("00 9000"), sends("81")), (.block("00 9000"), done),
                ]),
            Dialogue(
                "a lost answer is asked for again", "00B0000001", sends("00 00B0000001"),
                [
                    (.nothing, sends("82")), (.block("00 9000"), done),
                ]),
            Dialogue(
                "a lost command is sent again when the card says so", "00B0000001", sends("00 00B0000001"),
                [
                    (.nothing, sends("82")), (.block("80"), sends("00 00B0000001")), (.block("00 9000"), done),
                ]),
            Dialogue(
                "the card got a damaged command", "00B0000001", sends("00 00B0000001"),
                [
                    (.block("81"), sends("00 00B0000001")), (.block("00 9000"), done),
                ]),
            Dialogue(
                "the card got a damaged part", "00A4040002AABB00", sends("20 00A4040002"),
                [
                    (.block("81"), sends("20 00A4040002")), (.block("90"), sends("40 AABB00")),
                    (.block("00 9000"), done),
                ]),
            Dialogue(
                "a lost acknowledgement of a part", "00A4040002AABB00", sends("20 00A4040002"),
                [
                    (.nothing, sends("82")), (.block("90"), sends("40 AABB00")), (.block("00 9000"), done),
                ]),
            Dialogue(
                "the card got a damaged request to repeat", "00B0000001", sends("00 00B0000001"),
                [
                    (.damaged("00 9000"), sends("81")), (.block("91"), sends("81")), (.block("00 9000"), done),
                ]),
            Dialogue(
                "the card got a damaged acknowledgement", "00B0000001", sends("00 00B0000001"),
                [
                    (.block("20 0102"), sends("90")), (.block("91"), sends("90")),
                    (.block("40 9000"), .complete(hex("01029000"))),
                ]),
            Dialogue(
                "an answer with the wrong number is not taken", "00B0000001", sends("00 00B0000001"),
                [
                    (.block("40 6A82"), sends("82")), (.block("00 9000"), done),
                ]),
            Dialogue(
                "an answer before the end of the command is not taken", "00A4040002AABB00",
                sends("20 00A4040002"),
                [
                    (.block("00 9000"), sends("82")), (.block("90"), sends("40 AABB00")), (.block("00 9000"), done),
                ]),
            Dialogue(
                "waiting time extension", "00B0000001", sends("00 00B0000001"),
                [
                    (.block("C3 05"), sends("E3 05", times: 5)), (.block("C3 FF"), sends("E3 FF", times: 255)),
                    (.block("00 9000"), done),
                ]),
            Dialogue(
                "waiting time extension of nothing", "00B0000001", sends("00 00B0000001"),
                [
                    (.block("C3 00"), sends("E3 00")), (.block("00 9000"), done),
                ]),
            Dialogue(
                "a damaged reply to an extension", "00B0000001", sends("00 00B0000001"),
                [
                    (.block("C3 05"), sends("E3 05", times: 5)), (.block("91"), sends("E3 05", times: 5)),
                    (.block("00 9000"), done),
                ]),
            Dialogue(
                "nothing after an extension", "00B0000001", sends("00 00B0000001"),
                [
                    (.block("C3 02"), sends("E3 02", times: 2)), (.nothing, sends("82")), (.block("00 9000"), done),
                ]),
            Dialogue(
                "the card lowers its field size in the middle", "00A4040002AABB00", sends("20 00A4040002"),
                [
                    (.block("C1 02"), sends("E1 02")), (.block("90"), sends("60 AABB")), (.block("80"), sends("00 00")),
                    (.block("00 9000"), done),
                ]),
            Dialogue(
                "the card asks for a field size that does not exist", "00B0000001", sends("00 00B0000001"),
                [
                    (.block("C1 00"), sends("82")), (.block("C1 FF"), sends("82")),
                ]),
            Dialogue(
                "the card aborts", "00A4040002AABB00", sends("20 00A4040002"),
                [
                    (.block("C2"), sends("E2")), (.block("90"), .fail(.abortedByCard)),
                    (.block("00 9000"), .fail(.notWaiting)),
                ]),
            Dialogue(
                "the card aborts and falls silent", "00B0000001", sends("00 00B0000001"),
                [
                    (.block("C2"), sends("E2")), (.nothing, .fail(.abortedByCard)),
                ]),
            Dialogue(
                "resynchronised before the card had the command: it goes out again", "00B0000001",
                sends("00 00B0000001"),
                [
                    (.block("82"), sends("00 00B0000001")), (.block("82"), sends("00 00B0000001")),
                    (.block("82"), sends("C0")), (.block("E0"), sends("00 00B0000001")), (.block("00 9000"), done),
                ]),
            Dialogue(
                "resynchronised in the middle of the command: from the beginning", "00A4040002AABB00",
                sends("20 00A4040002"),
                [
                    (.nothing, sends("82")), (.nothing, sends("82")), (.nothing, sends("C0")),
                    (.block("E0"), sends("20 00A4040002")), (.block("90"), sends("40 AABB00")),
                    (.block("00 9000"), done),
                ]),
            Dialogue(
                "resynchronised with the command maybe carried out: never twice", "00B0000001",
                sends("00 00B0000001"),
                [
                    (.nothing, sends("82")), (.nothing, sends("82")), (.nothing, sends("C0")),
                    (.block("E0"), .fail(.answerLost)),
                ]),
            Dialogue(
                "resynchronised after the command went out again: never twice", "00B0000001", sends("00 00B0000001"),
                [
                    (.block("81"), sends("00 00B0000001")), (.nothing, sends("82")), (.nothing, sends("C0")),
                    (.block("E0"), .fail(.answerLost)),
                ]),
            Dialogue(
                "a dead card", "00B0000001", sends("00 00B0000001"),
                [
                    (.nothing, sends("82")), (.nothing, sends("82")), (.nothing, sends("C0")), (.nothing, sends("C0")),
                    (.nothing, sends("C0")), (.nothing, .fail(.noAnswer)),
                ]),
            Dialogue(
                "endless R-blocks", "00B0000001", sends("00 00B0000001"),
                [
                    (.block("80"), sends("00 00B0000001")), (.block("80"), sends("00 00B0000001")),
                    (.block("80"), sends("C0")), (.block("80"), sends("C0")), (.block("80"), sends("C0")),
                    (.block("80"), .fail(.noAnswer)),
                ]),
            Dialogue(
                "endless R-blocks with the other number", "00B0000001", sends("00 00B0000001"),
                [
                    (.block("90"), sends("82")), (.block("90"), sends("82")), (.block("90"), sends("C0")),
                    (.block("90"), sends("C0")), (.block("90"), sends("C0")), (.block("90"), .fail(.noAnswer)),
                ]),
            Dialogue(
                "only one resynchronisation", "00B0000001", sends("00 00B0000001"),
                [
                    (.block("80"), sends("00 00B0000001")), (.block("80"), sends("00 00B0000001")),
                    (.block("80"), sends("C0")), (.block("E0"), sends("00 00B0000001")),
                    (.block("80"), sends("00 00B0000001")), (.block("80"), sends("00 00B0000001")),
                    (.block("80"), .fail(.noAnswer)),
                ]),
            Dialogue(
                "the card may not resynchronise", "00B0000001", sends("00 00B0000001"),
                [
                    (.block("C0"), sends("82")), (.block("E1 20"), sends("82")), (.block("00 9000"), done),
                ]),
        ])
    private func holds(_ dialogue: Dialogue) {
        var engine = T1Engine(errorDetection: .lrc, informationFieldSizeCard: 5)
        #expect(engine.start(apdu: hex(dialogue.apdu)) == dialogue.first)
        for (index, (card, action)) in dialogue.steps.enumerated() {
            let answered =
                switch card {
                case .block(let text): engine.receive(block(text))
                case .damaged(let text): engine.receive(block(text).dropLast() + [0x55])
                case .nothing: engine.timedOut()
                }
            #expect(answered == action, "step \(index)")
        }
    }
}
