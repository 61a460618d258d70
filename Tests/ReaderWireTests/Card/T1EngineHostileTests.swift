import ReaderWire
import Testing

@Suite struct T1EngineHostileTests {
    /// Blocks received until the exchange ends; nil when it does not end within `limit`.
    private func length(
        of engine: inout T1Engine, from first: T1Engine.Action, limit: Int,
        card: (_ sent: [UInt8], inout T1Engine) -> T1Engine.Action
    ) -> (Int, T1Engine.Action)? {
        var action = first
        for count in 0...limit {
            guard case .send(let bytes, let multiplier) = action else { return (count, action) }
            #expect((1...255).contains(multiplier))
            #expect(bytes.count <= 258 + 1)
            action = card(bytes, &engine)
        }
        return nil
    }

    @Test func endlessWaitingTimeExtensionsFail() throws {
        var engine = T1Engine(errorDetection: .lrc, informationFieldSizeCard: 32)
        let first = engine.start(apdu: hex("00B0000001"))
        let end = try #require(
            length(of: &engine, from: first, limit: 300) { _, engine in engine.receive(hex("00C30101C3")) })
        #expect(end == (251, .fail(.tooManyWaitingTimeExtensions)))
    }

    @Test func endlessFieldSizeRequestsFail() throws {
        var engine = T1Engine(errorDetection: .lrc, informationFieldSizeCard: 32)
        let first = engine.start(apdu: hex("00B0000001"))
        let end = try #require(
            length(of: &engine, from: first, limit: 1_100) { _, engine in engine.receive(hex("00C10120E0")) })
        #expect(end == (1_025, .fail(.tooManyBlocks)))
    }

    @Test(arguments: [0, 1, 254])
    func anEndlessAnswerFails(size: Int) throws {
        var engine = T1Engine(errorDetection: .lrc, informationFieldSizeCard: 32)
        let first = engine.start(apdu: hex("00B0000001"))
        var sequence: UInt8 = 0
        let end = try #require(
            length(of: &engine, from: first, limit: 1_100) { _, engine in
                let block = T1Block(
                    kind: .information(sequence: sequence, more: true),
                    information: [UInt8](repeating: 0, count: size))
                sequence ^= 1
                return engine.receive(block.bytes(errorDetection: .lrc))
            })
        #expect(end.1 == .fail(size == 254 ? .answerTooLong : .tooManyBlocks))
    }

    @Test(arguments: T1ErrorDetection.allCases)
    func randomDialoguesAlwaysEnd(errorDetection: T1ErrorDetection) {
        var completed = 0
        for seed in 0..<10_000 as Range<UInt64> {
            var generator = SeededGenerator(seed: seed)
            var engine = T1Engine(
                errorDetection: errorDetection,
                informationFieldSizeCard: Int.random(in: 1...8, using: &generator))
            for exchange in 0..<3 {
                let first = exchange == 0 ? engine.startIFS() : engine.start(apdu: generator.bytes(upTo: 20))
                let end = length(of: &engine, from: first, limit: 2_000) { sent, engine in
                    Self.answer(to: sent, &engine, &generator)
                }
                guard let end else {
                    Issue.record("seed \(seed) does not end")
                    return
                }
                if case .complete = end.1 { completed += 1 }
                #expect(engine.timedOut() == .fail(.notWaiting))
            }
        }
        #expect(completed > 1_000)
    }

    /// Noise, silence, an echo, or a proper block of any kind.
    private static func answer(
        to sent: [UInt8], _ engine: inout T1Engine, _ generator: inout SeededGenerator
    ) -> T1Engine.Action {
        switch Int.random(in: 0..<8, using: &generator) {
        case 0: return engine.timedOut()
        case 1: return engine.receive(generator.bytes(upTo: 12))
        case 2: return engine.receive(sent)
        default:
            let controlBytes: [UInt8] = [
                0x00, 0x40, 0x20, 0x60, 0x80, 0x90, 0x81, 0x92, 0xC0, 0xC1, 0xC2, 0xC3, 0xE0, 0xE1, 0xE2, 0xE3,
            ]
            guard let byte = controlBytes.randomElement(using: &generator),
                let kind = T1Block.Kind(controlByte: byte)
            else { return engine.timedOut() }
            let information: [UInt8] =
                switch kind {
                case .information: generator.bytes(upTo: 6)
                case .receiveReady, .supervisory(.resynchronisation, _), .supervisory(.abort, _): []
                case .supervisory:
                    [Bool.random(using: &generator) ? 0xFE : UInt8.random(in: 0...255, using: &generator)]
                }
            return engine.receive(
                T1Block(kind: kind, information: information).bytes(errorDetection: engine.errorDetection))
        }
    }
}
