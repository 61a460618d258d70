import Testing
import Webhooks

struct DeliveryTests {
    @Test func fifteenRetriesFollowTheScheduleThenTheNoticeIsDead() {
        var now: Int64 = 1_000_000
        var delivery = Delivery(transactionID: "t1", at: now)
        #expect(delivery.isDue(at: now))
        let seconds: [Int64] = [15, 15, 30, 60, 120, 300, 300, 600, 1200, 1800, 1800, 3600, 3600, 7200, 14400]
        for (index, wait) in seconds.enumerated() {
            delivery.attempted(status: index.isMultiple(of: 2) ? 500 : nil, at: now)
            #expect(delivery.tries == index + 1)
            #expect(!delivery.isDue(at: now + wait * 1_000 - 1))
            now += wait * 1_000
            #expect(delivery.isDue(at: now))
        }
        delivery.attempted(status: 503, at: now)
        #expect(delivery.state == .dead)
        #expect(delivery.tries == 16)
        #expect(!delivery.isDue(at: .max))
        #expect(delivery.transactionID == "t1")
    }

    @Test(arguments: [200, 201, 204, 299])
    func aStatusOfTheTwoHundredsDelivers(_ status: Int) {
        var delivery = Delivery(transactionID: "t1", at: 0)
        delivery.attempted(status: status, at: 0)
        #expect(delivery.state == .delivered)
        #expect(delivery.dueAt == nil)
        delivery.attempted(status: 500, at: 5)
        #expect(delivery.state == .delivered)
        #expect(delivery.tries == 1)
    }

    @Test(arguments: [100, 199, 300, 302, 400, 404, 500])
    func anyOtherStatusIsTriedAgain(_ status: Int) {
        var delivery = Delivery(transactionID: "t1", at: 0)
        delivery.attempted(status: status, at: 7)
        #expect(delivery.state == .pending)
        #expect(delivery.dueAt == 15_007)
    }
}
