import InProcessMock
import Payments
import Testing
import Transport

/// Wall clock and monotonic clock are apart: a step of the one moves no deadline of the other.
@Suite struct ClockStepTests {
    @Test(
        "the wall clock is set a day back and a year on during a sale: it is approved all the same",
        arguments: [-86_400, 31_536_000])
    func steps(seconds: Int64) async throws {
        let bed = try await PaymentBed()
        let before = bed.clock.now()
        let result = try await bed.sale("20.00") { told in
            if told == .doNotRemoveCard { bed.wall.move(seconds: seconds) }
        }
        #expect(result.response.outcome == .approved)
        #expect(before.duration(to: bed.clock.now()) < .seconds(1))
    }

    @Test("a wait for a card ends by the monotonic clock, wherever the wall clock is set")
    func waiting() async throws {
        let bed = try await PaymentBed()
        #expect(bed.device.steer("remove") == nil)
        let before = bed.clock.now()
        let result = try await bed.sale("20.00") { told in
            if told == .insertCard { bed.wall.move(seconds: -31_536_000) }
        }
        #expect(result.response.outcome == .expired)
        #expect(before.duration(to: bed.clock.now()) >= .seconds(60))
    }
}
