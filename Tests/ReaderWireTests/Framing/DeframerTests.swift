import ReaderWire
import Testing

/// The protocols that share the deframer.
private let families: [(name: String, format: FrameFormat, frames: [[UInt8]])] = [
    (
        "NEO2", .neo2(NEO2FrameFormat(checkOrder: .either)),
        FrameVectors.neo2 + FrameVectors.neo2Events + [FrameVectors.neo2Swipe]
    ),
    ("QPOS", .qpos, FrameVectors.qpos), ("MPI", .mpi, FrameVectors.mpi),
]

@Suite("A deframer")
struct DeframerTests {
    private static func all(_ format: FrameFormat, _ pieces: [[UInt8]]) -> [OwnedFrameEvent] {
        var deframer = Deframer(format)
        var events: [OwnedFrameEvent] = []
        for piece in pieces { events += deframer.feed(piece) }
        return events + deframer.finish()
    }

    @Test("delivers every good vector, split at every byte", arguments: families.indices)
    func split(index: Int) {
        let family = families[index]
        for frame in family.frames {
            for cut in 0...frame.count {
                let events = Self.all(family.format, [Array(frame[..<cut]), [], Array(frame[cut...])])
                #expect(events == [.frame(bytes: frame, offset: 0, isGood: true)])
            }
            let single = Self.all(family.format, frame.map { [$0] })
            #expect(single == [.frame(bytes: frame, offset: 0, isGood: true)])
        }
    }

    @Test("delivers every pair of good vectors glued together, and cut anywhere", arguments: families.indices)
    func glued(index: Int) {
        let family = families[index]
        let short = family.frames.filter { $0.count < 100 }
        for first in family.frames {
            for second in short {
                let both = first + second
                let wanted: [OwnedFrameEvent] = [
                    .frame(bytes: first, offset: 0, isGood: true),
                    .frame(bytes: second, offset: first.count, isGood: true),
                ]
                #expect(Self.all(family.format, [both]) == wanted)
                for cut in stride(from: 1, to: both.count, by: 7) {
                    #expect(Self.all(family.format, [Array(both[..<cut]), Array(both[cut...])]) == wanted)
                }
            }
        }
    }

    @Test("tells the same, wherever a stream with noise and damage in it is cut", arguments: families.indices)
    func cutAnywhere(index: Int) {
        let family = families[index]
        var damaged = family.frames[1]
        damaged[damaged.count - 1] ^= 0x55
        let stream = [0x00, 0xFF] + family.frames[0] + damaged + [0x99, 0x98] + family.frames[2]
        let whole = Self.frames(Self.all(family.format, [stream]))
        #expect(whole.count == 3)
        for cut in 0...stream.count {
            let events = Self.all(family.format, [Array(stream[..<cut]), Array(stream[cut...])])
            #expect(Self.frames(events) == whole)
            #expect(Self.length(events) == stream.count, "every byte is told once, cut at \(cut)")
        }
    }

    @Test("finds a good frame within a damaged one", arguments: families.indices)
    func hidden(index: Int) {
        let family = families[index]
        let inner = family.frames[0]
        // The frame around has its good length and a wrong check.
        let outer: [UInt8] =
            switch family.name {
            case "NEO2": hex(FrameVectors.neo2Header) + [0x18, 0x01, 0, UInt8(inner.count)] + inner + [0, 0]
            case "QPOS": [0x4D, 0, UInt8(inner.count + 6), 0x24, 0, 0, 0, 0, UInt8(inner.count)] + inner + [0x11]
            default: [0x01, 0x00, UInt8(inner.count)] + inner + [0x11]
            }
        let events = Self.all(family.format, [outer])
        #expect(
            Self.frames(events) == [
                .frame(bytes: inner, offset: outer.firstRange(of: inner)?.lowerBound ?? 0, isGood: true)
            ])
        guard case .noise(0, _, .badCheck)? = events.first else {
            Issue.record("the damaged frame is told as such: \(events)")
            return
        }
    }

    @Test("random bytes of 10,000 seeds: no trap, every byte told once, and no more kept than two frames")
    func random() {
        for seed in UInt64(0)..<10_000 {
            var generator = SeededGenerator(seed: seed)
            let family = families[Int(seed % 3)]
            var deframer = Deframer(family.format)
            var fed = 0
            var told = 0
            for _ in 0..<4 {
                var bytes = generator.bytes(upTo: 120)
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: break
                case 1: bytes = (family.frames.randomElement(using: &generator) ?? []) + bytes
                case 2:
                    bytes = family.frames.randomElement(using: &generator) ?? []
                    bytes[Int.random(in: bytes.indices, using: &generator)] ^=
                        1 << UInt8.random(in: 0...7, using: &generator)
                default:
                    bytes = Array((family.frames.randomElement(using: &generator) ?? []).prefix(12)) + bytes
                }
                fed += bytes.count
                told += Self.length(deframer.feed(bytes))
                #expect(deframer.heldCount <= 2 * family.format.longestFrame)
            }
            told += Self.length(deframer.finish())
            #expect(told == fed, "seed \(seed)")
            #expect(deframer.heldCount == 0)
        }
    }

    @Test("lengths that claim much make nothing grow", arguments: families.indices)
    func claims(index: Int) {
        let family = families[index]
        let head: [UInt8] =
            switch family.name {
            case "NEO2": hex(FrameVectors.neo2Header) + [0x02, 0x00, 0x20, 0x00]
            case "QPOS": [0x4D, 0x0F, 0xFC, 0x24, 0x16, 0x20, 0x00, 0x0F, 0xF6]
            default: [0x01, 0x00, 0xFE]
            }
        var deframer = Deframer(family.format)
        for _ in 0..<2000 {
            _ = deframer.feed(head)
            #expect(deframer.heldCount <= 2 * family.format.longestFrame)
        }
    }

    private static func frames(_ events: [OwnedFrameEvent]) -> [OwnedFrameEvent] {
        events.filter { if case .frame = $0 { true } else { false } }
    }

    private static func length(_ events: [OwnedFrameEvent]) -> Int {
        events.reduce(0) { sum, event in
            switch event {
            case .frame(let bytes, _, _): sum + bytes.count
            case .noise(_, let count, _): sum + count
            }
        }
    }
}
