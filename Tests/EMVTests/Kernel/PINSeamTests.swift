import Crypto
import EMV
import Testing

/// Whatever takes PINs outside this package sees only the public side: it gets requests and gives answers, and can make
/// both for its own tests.
@Suite struct PINSeamTests {
    /// A pad whose cardholder types these PINs, one after another.
    private struct Pad {
        private(set) var pins: [String]

        mutating func answer(_ request: PINRequest) -> PINAnswer {
            guard !pins.isEmpty else { return .bypassed }
            let pin = pins.removeFirst()
            switch request.method {
            case .online: return .captured
            case .offlinePlaintext, .offlineEnciphered:
                let digits = pin.compactMap { $0.wholeNumberValue.map(UInt8.init) }
                let nibbles = [2, UInt8(digits.count)] + digits + [UInt8](repeating: 15, count: 14 - digits.count)
                let block = stride(from: 0, to: 16, by: 2).map { nibbles[$0] << 4 | nibbles[$0 + 1] }
                return .block(SecretBytes(block))
            }
        }
    }

    @Test("a pad answers requests that it made up itself")
    func requests() throws {
        var pad = Pad(pins: ["1234", "12345678"])
        guard case .block(let block) = pad.answer(PINRequest(method: .offlinePlaintext, triesLeft: 3)) else {
            Issue.record("an offline PIN is a block")
            return
        }
        #expect(block == SecretBytes(bytes("241234FFFFFFFFFF")))
        guard case .captured = pad.answer(PINRequest(method: .online)) else {
            Issue.record("an online PIN is captured")
            return
        }
        guard case .bypassed = pad.answer(PINRequest(method: .offlineEnciphered)) else {
            Issue.record("no PIN is a bypass")
            return
        }
    }

    @Test(
        "the last try is the one with one left",
        arguments: [(1, true), (2, false), (0, false), (nil, false)] as [(Int?, Bool)])
    func lastTry(left: Int?, isLast: Bool) {
        let request = PINRequest(method: .offlinePlaintext, triesLeft: left, isRepeated: true)
        #expect(request.isLastTry == isLast)
        #expect(request.triesLeft == left)
        #expect(request.isRepeated)
        #expect(!PINRequest(method: .online).isRepeated)
    }
}
