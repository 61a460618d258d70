import Testing

@testable import AppToApp

@Suite struct HostileTextTests {
    /// Fixed, so that a finding can be repeated.
    private struct Numbers: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ state >> 33
        }
    }

    private static let seeds = [
        Requests.url(Requests.sale + [("tip", "15.00"), ("reference", "é😀&=%")]), Requests.url(Requests.refund),
        Requests.url(Requests.changed(Requests.sale, "urlScheme", "https://a.example:8080/r?x=%20")),
        "https://[::1]:80/r?result=aprobada&statusinfo=&usertoken=x", "billpocket://app",
        "version=1&createdAt=1&attempts=0&problem=&address=myapp&reply=result%3Derror\n",
    ]

    @Test("20,000 damaged texts end in a call, a reply, an address or an error, and never let the token out")
    func damaged() {
        var numbers = Numbers(state: 0xA99)
        let bytes = Array("%&=?#:/@[]+.\u{0}\n aZ09".utf8) + [0xC3, 0xFF, 0x80]
        for index in 0..<20_000 {
            var text = Array(Self.seeds[index % Self.seeds.count].utf8)
            for _ in 0..<Int.random(in: 1...6, using: &numbers) {
                let place = Int.random(in: 0..<text.count, using: &numbers)
                switch Int.random(in: 0..<4, using: &numbers) {
                case 0: text[place] = bytes.randomElement(using: &numbers) ?? 0
                case 1: text.insert(bytes.randomElement(using: &numbers) ?? 0, at: place)
                case 2 where text.count > 1: text.remove(at: place)
                default: text += text[place...].prefix(40)
                }
            }
            let damaged = String(decoding: text, as: UTF8.self)
            if case .call(let call)? = try? AppCall.read(damaged) {
                let wasToken = (try? URLParameters(parsing: damaged))?.parameters
                    .contains { $0.key == "usertoken" && $0.value == Requests.token }
                let isOut = call.echo.values.contains { $0.contains(Requests.token) }
                #expect(!isOut || wasToken != true, "\(damaged)")
            }
            _ = try? AppReply(parsing: damaged)
            _ = try? ReplyAddress(parsing: damaged)
            _ = KeptReply(fileText: damaged)
        }
    }

    @Test("every byte may stand anywhere in an address")
    func addresses() {
        for byte in UInt8.min...UInt8.max {
            for place in 0...20 {
                var text = Array("https://[::1]:8080/r".utf8)
                text.insert(byte, at: place)
                _ = try? ReplyAddress(parsing: String(decoding: text, as: UTF8.self))
            }
        }
    }
}
