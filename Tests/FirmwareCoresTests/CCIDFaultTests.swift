import FirmwareCores
import Testing

struct CCIDFaultTests {
    private let status = "65 00000000 00 07 000000"
    private let good = "81000000000007010000"
    private let stale = "81000000000006010000"

    private func armed(_ fault: String) throws -> CCIDHost {
        let host = try CCIDHost()
        #expect(host.steer("fault \(fault)") == nil)
        return host
    }

    @Test func faultsHitTheCommandTheyAreTiedTo() throws {
        let host = try armed("3 silent")
        #expect(host.send(status) == [good])
        #expect(host.send(status) == [good])
        #expect(host.send(status) == [])
        #expect(host.send(status) == [good])
        #expect(host.core.framesSeen == 4)
    }

    @Test(arguments: [
        ("wrong-seq", ["81000000000006010000"]),
        ("stale", ["81000000000006010000", "81000000000007010000"]),
        ("twice", ["81000000000007010000", "81000000000007010000"]),
        ("glued", ["8100000000000601000081000000000007010000"]),
        ("short", ["8100000000"]),
        ("bad-status", ["81000000000007C10000"]),
        ("card-removed", ["81000000000007020000"]),
        ("silent", []),
    ])
    func answersGoWrongAsNamed(fault: String, expected: [String]) throws {
        let host = try armed("next \(fault)")
        #expect(host.send(status) == expected)
        if fault == "card-removed" { #expect(host.takeNotifications() == ["5002"]) }
    }

    @Test func oversizedAndGarbage() throws {
        let huge = try armed("next oversized").send(status)
        #expect(huge.first?.count == 2 * (10 + 4096))
        #expect(huge.first?.hasPrefix("8100100000") == true)
        let garbage = try #require(try armed("next garbage-before").send(status).first)
        #expect(garbage.hasSuffix(good) && garbage.count > good.count)
        #expect(try armed("next garbage-before").send(status).first == garbage)
    }

    @Test func lateAnswerKeepsTheSlotBusy() throws {
        let host = try armed("next late 500")
        #expect(host.send(status) == [])
        #expect(host.send("65 00000000 00 08 000000") == ["8100000000000841E000"])
        #expect(host.core.nextDue == .milliseconds(500))
        #expect(host.advance(.milliseconds(499)) == [])
        #expect(host.advance(.milliseconds(1)) == [good])
        #expect(host.send(status) == [good])
    }

    @Test func timeExtensionsComeBeforeTheAnswer() throws {
        let host = try armed("next time-extension 2")
        #expect(host.send(status) == ["81000000000007810100"])
        #expect(host.advance(.milliseconds(100)) == ["81000000000007810100"])
        #expect(host.advance(.milliseconds(100)) == [good])
        #expect(host.core.nextDue == nil)
    }

    @Test func dripSendsOneByteAtATime() throws {
        let host = try armed("next drip 10")
        #expect(host.send(status) == [])
        #expect(host.advance(.milliseconds(10)) == ["81"])
        #expect(host.advance(.milliseconds(90)).joined() == "000000000007010000")
    }

    @Test func leavingAndStalling() throws {
        let before = try armed("next unplug-before")
        #expect(before.send(status) == [])
        #expect(before.takeOthers() == [.unplug])
        let after = try armed("next unplug-after")
        #expect(after.send(status) == [] && after.takeOthers() == [])
        #expect(after.advance(.milliseconds(1)) == [] && after.takeOthers() == [.unplug])
        let half = try armed("next unplug-half")
        #expect(half.send(status) == ["8100000000"])
        #expect(half.advance(.milliseconds(5)) == [] && half.takeOthers() == [.unplug])
        let stall = try armed("next stall")
        #expect(stall.send(status) == [] && stall.takeOthers() == [.halt(endpoint: 0x82)])
        let reboot = try armed("next reboot")
        #expect(reboot.send(status) == [])
        #expect(reboot.advance(.milliseconds(300)) == [] && reboot.takeOthers() == [.unplug, .plug])
    }

    @Test func stormOfNotifications() throws {
        let host = try armed("next storm")
        #expect(host.send(status) == [good])
        #expect(host.takeNotifications() == [String](repeating: "5003", count: 100))
    }

    @Test(arguments: [
        "fault", "fault next", "fault 0 stall", "fault next explode", "fault next late", "fault next late -1",
        "fault next stall 3", "fault x stall", "faults", "wtx", "wtx 0", "pull", "pull never", "insert nobody", "",
        "chaos", "chaos 1 101", "chaos x 5",
    ])
    func steeringThatIsNotUnderstoodIsRefused(command: String) throws {
        let host = try CCIDHost()
        #expect(host.steer(command) != nil)
        #expect(host.send(status) == [good])
    }

    @Test func clearedFaultsDoNotHappen() throws {
        let host = try armed("next silent")
        #expect(host.steer("faults clear") == nil)
        #expect(host.send(status) == [good])
    }

    @Test func slowCardMakesTheReaderAskForTime() throws {
        let host = try CCIDHost(["card": "slow"])
        _ = host.send("62 00000000 00 00 000000")
        #expect(host.transfer(hex("00B2010C00"), sequence: 1) == ["80000000000001800100"])
        #expect(host.advance(.milliseconds(200)) == ["80000000000001800100", "80000000000001800100"])
        #expect(host.advance(.milliseconds(100)) == ["800200000000010000006985"])
    }

    @Test func chaosIsTheSameForTheSameSeed() throws {
        func run(_ seed: Int) throws -> [String] {
            let host = try CCIDHost()
            #expect(host.steer("chaos \(seed) 40") == nil)
            return (0..<50).flatMap { _ in host.send(status) + host.advance(.seconds(1)) }
        }
        #expect(try run(7) == run(7))
        #expect(try run(7) != run(8))
        #expect(try run(7).contains(good))
    }

    @Test func abortTakesControlRequestAndMessageInEitherOrder() throws {
        let control = SetupPacket(requestType: 0x21, request: 0x01, value: 0x0700, index: 0, length: 0)
        let message = "72 00000000 00 07 000000"

        let first = try armed("next late 5000")
        #expect(first.send(status) == [])
        #expect(first.core.control(control, data: [], at: .zero).reply == .accepted)
        #expect(first.core.nextDue == nil)
        #expect(first.send("65 00000000 00 08 000000") == ["8100000000000841FF00"])
        #expect(first.send(message) == [good])
        #expect(first.send("65 00000000 00 09 000000") == ["81000000000009010000"])

        let second = try CCIDHost()
        #expect(second.send(message) == [])
        let answer = second.core.control(control, data: [], at: .zero)
        #expect(answer.reply == .accepted)
        #expect(answer.effects == [.data(endpoint: 0x82, bytes: hex(good), zeroLengthPacket: true)])
    }

    @Test func classRequests() throws {
        let core = try CCIDHost().core
        func ask(_ type: UInt8, _ request: UInt8, value: UInt16 = 0) -> ControlReply {
            let setup = SetupPacket(requestType: type, request: request, value: value, index: 0, length: 256)
            return core.control(setup, data: [], at: .zero).reply
        }
        #expect(ask(0xA1, 0x02) == .data([0xA0, 0x0F, 0, 0]))
        #expect(ask(0xA1, 0x03) == .data([0x80, 0x25, 0, 0]))
        #expect(ask(0xA1, 0x7F) == .stall)
        #expect(ask(0x21, 0x01, value: 0x0001) == .stall)
    }
}
