import FirmwareCores
import Testing

/// Random bytes with fixed seeds: the cores answer or ignore, and keep nothing without bound.
struct HostileInputTests {
    private struct Source: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return state
        }
    }

    private func bytes(_ source: inout Source, upTo most: Int) -> [UInt8] {
        let count = Int.random(in: 0...most, using: &source)
        return (0..<count).map { _ in UInt8.random(in: 0...255, using: &source) }
    }

    @Test(arguments: ["short", "extended", "tpdu", "character"])
    func readerTakesAnything(level: String) throws {
        let core = try CCIDReaderCore.make(options: ["level": level, "autovoltage": "yes"])
        let kinds: [UInt8] = [0x61, 0x62, 0x63, 0x65, 0x69, 0x6A, 0x6B, 0x6C, 0x6D, 0x6E, 0x6F, 0x71, 0x72, 0x73]
        var answers = 0
        for seed in 1...2500 as ClosedRange<UInt64> {
            var source = Source(state: seed &* 0x9E37_79B9_7F4A_7C15)
            var message = bytes(&source, upTo: 300)
            if message.count >= 10, seed % 4 != 0 {
                message[0] = kinds[Int(seed) % kinds.count]
                message[1] = UInt8((message.count - 10) & 0xFF)
                message[2] = UInt8((message.count - 10) >> 8)
                message[3] = 0
                message[4] = 0
                message[5] = 0
            }
            let effects = core.out(message, to: 0x02, at: .zero)
            #expect(effects.count <= 2, "seed \(seed)")
            for case .data(_, let bytes, _) in effects { #expect(bytes.count <= 271, "seed \(seed)") }
            answers += effects.count
            let setup = SetupPacket(
                requestType: UInt8.random(in: 0...255, using: &source),
                request: UInt8.random(in: 0...3, using: &source),
                value: UInt16.random(in: 0...65535, using: &source), index: 0, length: 0)
            if seed % 50 == 0 { _ = core.control(setup, data: [], at: .zero) }
        }
        #expect(answers > 100)
    }

    @Test(arguments: ["visa-credit", "visa-t0", "mastercard-debit", "long-pan", "two-applications"])
    func cardTakesAnything(name: String) throws {
        let card = EMVCardCore(profile: try #require(CardProfile.named(name)))
        let classes: [UInt8] = [0x00, 0x80, 0x84, 0x04]
        let instructions: [UInt8] = [0xA4, 0xB2, 0xA8, 0xCA, 0xAE, 0x82, 0x84, 0x20, 0x1E]
        for seed in 1...2000 as ClosedRange<UInt64> {
            var source = Source(state: seed &* 0x9E37_79B9_7F4A_7C15)
            if seed % 20 == 1 { _ = card.powerOn() }
            if seed % 5 == 1 { _ = card.transmit(hex("00A4040005A00000000300")) }
            if seed % 5 == 2 { _ = card.transmit(hex("80A8000002830000")) }
            var command = bytes(&source, upTo: 60)
            if command.count >= 5, seed % 3 != 0 {
                command[0] = classes[Int(seed) % 4]
                command[1] = instructions[Int(seed) % 9]
                command[4] = UInt8(command.count - 5)
            }
            let answer = card.transmit(command)
            #expect((2...258).contains(answer.count), "seed \(seed)")
        }
        #expect(card.log.count <= 64)
    }

    @Test func t1CardTakesAnything() throws {
        let host = try CCIDHost(["level": "tpdu", "card": "mastercard-t1"])
        _ = host.send("62 00000000 00 00 01 0000")
        for seed in 1...2000 as ClosedRange<UInt64> {
            var source = Source(state: seed &* 0x9E37_79B9_7F4A_7C15)
            var unit = Array(bytes(&source, upTo: 40))
            if seed % 3 != 0 { unit = block(UInt8.random(in: 0...255, using: &source), unit) }
            guard !unit.isEmpty else { continue }
            let answer = host.transfer(unit)
            #expect(answer.count == 1, "seed \(seed)")
        }
    }
}
