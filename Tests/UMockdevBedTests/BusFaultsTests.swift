import Glibc
import Testing

@testable import UMockdevBed

@Suite struct BusFaultsTests {
    @Test func `an injected errno stays until it is taken back`() {
        var faults = BusFaults()
        #expect(faults.steer(["errno", "claim", "EBUSY"]) == nil)
        #expect([faults.take(.claim), faults.take(.claim), faults.take(.release)] == [EBUSY, EBUSY, nil])
        #expect(faults.steer(["errno", "claim", "none"]) == nil)
        #expect(faults.take(.claim) == nil)
    }

    @Test func `a counted errno wears off`() {
        var faults = BusFaults()
        #expect(faults.steer(["errno", "submit", "ENOMEM", "2"]) == nil)
        #expect([faults.take(.submit), faults.take(.submit), faults.take(.submit)] == [ENOMEM, ENOMEM, nil])
    }

    @Test func `a transfer fault hits one transfer`() {
        var faults = BusFaults()
        #expect(faults.steer(["errno", "urb", "EPROTO"]) == nil)
        #expect([faults.take(.urb), faults.take(.urb)] == [EPROTO, nil])
    }

    @Test func `settings are kept`() {
        var faults = BusFaults()
        #expect(faults.steer(["access", "denied", "300"]) == nil)
        #expect(faults.steer(["driver", "ftdi_sio"]) == nil)
        #expect(faults.steer(["capabilities", "0x17"]) == nil)
        #expect(faults.steer(["delay", "20"]) == nil)
        #expect(faults.accessDenied == .milliseconds(300))
        #expect(faults.driver == "ftdi_sio")
        #expect(faults.capabilities == 0x17)
        #expect(faults.delay == .milliseconds(20))
        #expect(faults.steer(["access", "granted"]) == nil)
        #expect(faults.steer(["driver", "none"]) == nil)
        #expect(faults.accessDenied == .zero)
        #expect(faults.driver == nil)
    }

    @Test(arguments: [
        ["errno", "claim"], ["errno", "sing", "EBUSY"], ["errno", "claim", "EWHAT"], ["errno", "claim", "EBUSY", "0"],
        ["access", "denied", "-1"], ["access", "maybe"], ["capabilities", "17"], ["capabilities", "0xZZ"], ["delay"],
        ["delay", "soon"],
    ])
    func `a malformed command is refused and changes nothing`(words: [String]) {
        var faults = BusFaults()
        #expect(faults.steer(words) != nil)
        #expect(faults == BusFaults())
    }
}
