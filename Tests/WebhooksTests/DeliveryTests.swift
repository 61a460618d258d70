import Testing
import Webhooks

struct DeliveryTests {
    @Test func fifteenRetriesFollowTheScheduleThenTheNoticeIsDead() {
        var now: Int64 = 1_000_000
        var delivery = Delivery(transactionID: "t1", at: now)
        #expect(delivery.isDue(at: now))
        let seconds: [Int64] = [15, 15, 30, 60, 120, 300, 300, 600, 1200, 1800, 1800, 3600, 3600, 7200, 14400]
        for (index, wait) in seconds.enumerated() {
            delivery.attempted(isAccepted: false, at: now)
            #expect(delivery.tries == index + 1)
            #expect(!delivery.isDue(at: now + wait * 1_000 - 1))
            now += wait * 1_000
            #expect(delivery.isDue(at: now))
        }
        delivery.attempted(isAccepted: false, at: now)
        #expect(delivery.state == .dead)
        #expect(delivery.tries == 16)
        #expect(!delivery.isDue(at: .max))
        #expect(delivery.transactionID == "t1")
        #expect(seconds.max().map { $0 * 1_000 } == Delivery.longestWait)
    }

    @Test(arguments: [200, 201, 204, 299])
    func aStatusOfTheTwoHundredsDelivers(_ status: Int) {
        var delivery = Delivery(transactionID: "t1", at: 0)
        delivery.attempted(isAccepted: WebhookAnswer.status(status).isAccepted, at: 0)
        #expect(delivery.state == .delivered)
        #expect(delivery.dueAt == nil)
        delivery.attempted(isAccepted: false, at: 5)
        #expect(delivery.state == .delivered)
        #expect(delivery.tries == 1)
    }

    @Test(arguments: [100, 199, 300, 302, 400, 404, 500])
    func anyOtherStatusIsTriedAgain(_ status: Int) {
        var delivery = Delivery(transactionID: "t1", at: 0)
        delivery.attempted(isAccepted: WebhookAnswer.status(status).isAccepted, at: 7)
        #expect(delivery.state == .pending)
        #expect(delivery.dueAt == 15_007)
    }

    @Test func aNoticeGoesOnWithTheAttemptsThatItHad() {
        var delivery = Delivery(transactionID: "t1", tries: 14, at: 0)
        delivery.attempted(isAccepted: false, at: 0)
        #expect(delivery.dueAt == 14_400_000)
        delivery.attempted(isAccepted: false, at: 1)
        #expect(delivery.state == .dead)
    }
}
