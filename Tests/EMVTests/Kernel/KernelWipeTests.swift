import BERTLV
import EMV
import Testing

@Suite struct KernelWipeTests {
    private static let said: [BERTLV.Tag] = [
        0x57, 0x5A, 0x5F24, 0x82, 0x8C, 0x8D, 0x8E, 0x91, 0x94, 0x9F10, 0x9F26, 0x9F27, 0x9F36, 0x84,
    ]

    @Test("after wiping nothing is left of what card and issuer said")
    func wiped() throws {
        var kernel = try replay(KernelCard().approved).kernel
        for tag in Self.said where tag != 0x84 { #expect(kernel.value(of: tag) != nil, "\(tag)") }
        #expect(kernel.onlineValue(of: 0x84) != nil)
        kernel.wipe()
        for tag in Self.said {
            #expect(kernel.value(of: tag) == nil, "\(tag)")
            #expect(kernel.onlineValue(of: tag) == nil, "\(tag)")
        }
        #expect(kernel.application == nil)
        #expect(kernel.value(of: 0x9F02) == bytes("000000011500"))
    }

    @Test("wiping does not undo the outcome, and may come at any time")
    func outcome() throws {
        var kernel = try replay(KernelCard().approved).kernel
        kernel.wipe()
        kernel.wipe()
        guard case .finished(.approved) = kernel.receive(ResponseAPDU(status: .success)) else {
            Issue.record("the outcome is gone")
            return
        }
        var fresh = ContactKernel(terminal: Replay.terminal(), transaction: try Replay.transaction())
        fresh.wipe()
        guard case .transmit = fresh.start() else {
            Issue.record("no start after a wipe")
            return
        }
    }

    @Test("a copy of a kernel keeps what it knew when the other goes on or is wiped")
    func copies() throws {
        var kernel = try replay(KernelCard().approved).kernel
        let copy = kernel
        kernel.wipe()
        for tag in Self.said where tag != 0x84 { #expect(copy.value(of: tag) != nil, "\(tag)") }
        #expect(copy.onlineValue(of: 0x84) != nil)
        #expect(copy.application != nil)
        #expect(kernel.value(of: 0x5A) == nil)
        var second = ContactKernel(terminal: Replay.terminal(), transaction: try Replay.transaction())
        let fresh = second
        _ = second.start()
        _ = second.receive(ResponseAPDU(status: StatusWord(0x6A82)))
        var third = fresh
        guard case .transmit(let command) = third.start() else {
            Issue.record("no start of a copy")
            return
        }
        #expect(hex(command.bytes).hasPrefix("00A40400"))
    }

    @Test("neither printing nor dumping a kernel shows the account number")
    func printing() throws {
        let kernel = try replay(KernelCard().approved).kernel
        var dumped = ""
        dump(kernel, to: &dumped)
        for text in [dumped, "\(kernel)", String(reflecting: kernel)] {
            #expect(!text.contains("71, 97, 115, 144"))
            #expect(!text.contains("47617390"))
            #expect(!text.contains("4761739001010119"))
        }
    }
}
