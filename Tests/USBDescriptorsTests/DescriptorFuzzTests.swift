import Testing
import USBDescriptors

@Suite("USB descriptors from a hostile device")
struct DescriptorFuzzTests {
    /// SplitMix64: the same bytes for the same seed on every machine.
    private struct Generator: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }
    }

    @Test("ten thousand mutations never trap, and what is accepted fits in its bytes")
    func mutations() {
        var accepted = 0
        for seed in UInt64(0)..<10_000 {
            let bytes = Self.mutated(seed)
            guard let set = try? DescriptorSet(parsing: bytes) else { continue }
            accepted += 1
            var held = 18
            for configuration in set.configurations {
                held += 9 + configuration.extra.count
                for interface in configuration.interfaces {
                    held += 9 + interface.extra.count
                    held += interface.endpoints.reduce(0) { $0 + 7 + $1.extra.count }
                    _ = interface.classDescriptor(type: 0x21)
                }
            }
            #expect(held <= bytes.count, "seed \(seed)")
        }
        // Neither everything nor nothing: the mutations reach behind the checks.
        #expect((500..<9_500).contains(accepted), "\(accepted) accepted")
    }

    @Test("ten thousand random strings of bytes never trap")
    func noise() {
        for seed in UInt64(0)..<10_000 {
            var generator = Generator(state: seed)
            let count = Int.random(in: 0..<200, using: &generator)
            let bytes = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
            _ = try? DescriptorSet(parsing: bytes)
            _ = try? ConfigurationDescriptor(parsing: bytes)
            _ = StringDescriptor.text(bytes)
        }
    }

    private static func mutated(_ seed: UInt64) -> [UInt8] {
        var generator = Generator(state: seed)
        var bytes = SampleDescriptors.all
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
            let place = Int.random(in: 0..<bytes.count, using: &generator)
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: bytes[place] = UInt8.random(in: .min ... .max, using: &generator)
            case 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            case 2: bytes.insert(UInt8.random(in: .min ... .max, using: &generator), at: place)
            default: bytes += Array(bytes[place...].prefix(64))
            }
        }
        return bytes
    }
}
