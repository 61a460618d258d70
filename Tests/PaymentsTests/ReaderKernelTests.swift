import EMV
import FirmwareCores
import Gateways
import InProcessMock
import Ledger
import Money
import Payments
import Readers
import Synchronization
import Testing
import Transport

/// Sales at a reader that runs EMV itself: the same rules, records and replies as with the kernel on this side, from data
/// that the reader masks and encrypts.
@Suite struct ReaderKernelTests {
    /// A payment bed whose reader is a NEO2 reader on HID.
    private struct Bed {
        let payments: PaymentBed
        let device: InProcessDevice

        init(
            _ options: [String: String], rules: SaleRules = SaleRules(), events: GatewayEvents = GatewayEvents(),
            host: (IssuerSimulator) -> any Gateway = { $0 }
        ) async throws {
            payments = try await PaymentBed(events: events, rules: rules, host: host)
            device = InProcessDevice(core: try NEO2HIDCore.make(options: options), clock: payments.clock)
        }

        func sale(
            _ amount: String, told: @escaping @Sendable (PaymentProgress) -> Void = { _ in }
        ) async throws -> PaymentResult {
            let request = try SaleRequest(amount: pesos(amount), details: RequestDetails(reference: "r"))
            let (device, clock) = (device, payments.clock)
            return await payments.pipeline.sale(
                request,
                openReader: { () async throws(ReaderError) in
                    .kernel(
                        try await NEO2Reader.open(
                            device.open(), form: .hid, model: "Mock", clock: clock,
                            until: .after(.seconds(10), on: clock)))
                }, progress: told)
        }
    }

    private static var stripes: SaleRules {
        var rules = SaleRules()
        rules.magneticStripe = .fallback
        return rules
    }

    @Test(
        "a chip, inserted or tapped: approved, the card's last four from the mask, its cryptogram verified by the issuer",
        arguments: ["inserted", "tapped"], ["tdes", "clear"])
    func approved(entry: String, securing: String) async throws {
        let bed = try await Bed(["card": "visa-credit", "entry": entry, "sred": securing])
        let result = try await bed.sale("123.45")
        let response = result.response
        #expect(response.outcome == .approved)
        #expect(response.creditCard == "0119")
        #expect(response.cardType == "VISA")
        #expect(response.aid == "A0000000031010")
        #expect(response.applicationLabel == "VISA CREDIT")
        #expect(response.arqc.count == 16)
        #expect(response.authorization.count == 6)
        let record = try await bed.payments.ledger.transaction(response.transactionID)
        #expect(record.entryMode == (entry == "inserted" ? "contactChip" : "contactlessChip"))
        #expect(record.arqc == response.arqc)
        #expect(bed.payments.issuers.bookedTotal(in: .mxn) == 123_45)
        let receipt = try #require(try await bed.payments.receipt(response.transactionID))
        #expect(receipt.lastFour == "0119")
        // Only an inserted card is there for its second cryptogram.
        #expect(receipt.chip?.cryptogramType == (entry == "inserted" ? "TC" : "ARQC"))
    }

    @Test("the person is asked for the card once, by the reader's driver")
    func askedOnce() async throws {
        let bed = try await Bed(["card": "visa-credit", "entry": "tapped"])
        let told = Told()
        #expect(try await bed.sale("20.00", told: { told.add($0) }).response.outcome == .approved)
        #expect(told.all.first == .presentCard)
        #expect(told.all.count { $0 == .presentCard } == 1)
    }

    @Test("a card that comes in the last second of the wait, and answers slowly, is paid with")
    func lastSecond() async throws {
        let bed = try await Bed([:])
        #expect(bed.device.steer("after 59500 insert visa-credit") == nil)
        let start = bed.payments.clock.now()
        let device = bed.device
        let result = try await bed.sale("123.45") { progress in
            if progress == .doNotRemoveCard { #expect(device.steer("fault next late 20000") == nil) }
        }
        #expect(result.response.outcome == .approved)
        #expect(start.duration(to: bed.payments.clock.now()) >= .seconds(79))
    }

    @Test("nobody comes: the payment expires with the wait for the card")
    func nobody() async throws {
        let bed = try await Bed([:])
        let start = bed.payments.clock.now()
        #expect(try await bed.sale("123.45").response.outcome == .expired)
        let spent = start.duration(to: bed.payments.clock.now())
        #expect(spent >= .seconds(59) && spent <= .seconds(63), "\(spent)")
    }

    @Test("the issuer declines: the card is told, and nothing is booked", arguments: ["inserted", "tapped"])
    func declined(entry: String) async throws {
        let bed = try await Bed(["card": "visa-credit", "entry": entry])
        let result = try await bed.sale("50.00")
        #expect(result.response.outcome == .declined)
        #expect(result.response.statusInfo.code == "issuerDeclined")
        #expect(bed.payments.issuers.bookedTotal(in: .mxn) == 0)
    }

    @Test("the card declines before or after the issuer: no money stays moved")
    func cardDeclines() async throws {
        let first = try await Bed(["card": "declines-first"])
        #expect(try await first.sale("20.00").response.outcome == .declined)
        #expect(first.payments.issuers.bookedTotal(in: .mxn) == 0)
        let second = try await Bed(["card": "declines-second"])
        let result = try await second.sale("20.00")
        #expect(try await second.payments.state(result.response.transactionID) == "reversed")
        #expect(second.payments.issuers.bookedTotal(in: .mxn) == 0)
    }

    @Test("a stripe is not taken unless the merchant says so")
    func stripeRefused() async throws {
        let bed = try await Bed(["card": "visa-credit", "entry": "swiped"])
        let result = try await bed.sale("20.00")
        #expect(result.response.outcome != .approved)
        #expect(bed.payments.issuers.bookedTotal(in: .mxn) == 0)
    }

    @Test("the stripe of a card whose chip is dead, where that is allowed: approved as a fallback")
    func fallback() async throws {
        let bed = try await Bed(["card": "mute", "entry": "inserted"], rules: Self.stripes)
        let device = bed.device
        let result = try await bed.sale("20.00") { told in
            if told == .useStripe || told == .swipeCard {
                _ = device.steer("remove")
                _ = device.steer("swipe")
            }
        }
        #expect(result.response.outcome == .approved)
        #expect(result.response.arqc == "")
        let record = try await bed.payments.ledger.transaction(result.response.transactionID)
        #expect(record.entryMode == "fallbackStripe")
        let receipt = try #require(try await bed.payments.receipt(result.response.transactionID))
        #expect(receipt.chip == nil)
    }

    @Test("the chip of a card is asked for first, also where fallbacks to the stripe are allowed")
    func chipFirst() async throws {
        let bed = try await Bed(["card": "visa-credit", "entry": "swiped"], rules: Self.stripes)
        let told = Told()
        let result = try await bed.sale("20.00") { told.add($0) }
        #expect(result.response.outcome == .expired)
        #expect(told.all.contains(.useChip))
        #expect(bed.payments.issuers.bookedTotal(in: .mxn) == 0)
    }

    @Test("nobody comes: expired, and the issuer is never asked")
    func expired() async throws {
        let bed = try await Bed([:])
        let result = try await bed.sale("20.00")
        #expect(result.response.outcome == .expired)
        #expect(bed.payments.issuers.decisions.isEmpty)
    }

    @Test("a cancel while the reader waits for a card")
    func cancelled() async throws {
        let bed = try await Bed([:])
        let payment = Payment()
        let result = try await payment.run {
            try await bed.sale("20.00") { told in if told == .presentCard { payment.cancel() } }
        }
        #expect(result.response.outcome == .cancelled)
        #expect(bed.payments.issuers.decisions.isEmpty)
    }

    @Test("the reader is unplugged at any transfer: one true outcome, and ledger and host agree", arguments: 1..<40)
    func unplugged(turn: Int) async throws {
        let bed = try await Bed(["card": "visa-credit"])
        let count = Mutex(0)
        bed.device.onTransfer { _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            return number == turn ? .steer("unplug") : .pass
        }
        let result = try await bed.sale("20.00")
        if !result.response.transactionID.isEmpty {
            try await bed.payments.recover()
            let state = try await bed.payments.state(result.response.transactionID)
            let booked = bed.payments.issuers.bookedTotal(in: .mxn)
            #expect(booked == (state == "approved" ? 20_00 : 0))
            #expect(["approved", "reversed", "failed", "declined"].contains(state))
        }
    }

    @Test("the host does not answer: unknown, then reversed; the card is told that nobody could be reached")
    func unknown() async throws {
        let bed = try await Bed(["card": "visa-credit"])
        let result = try await bed.sale("190.00")
        #expect(result.response.outcome == .unknown)
        try await bed.payments.recover()
        #expect(try await bed.payments.state(result.response.transactionID) == "reversed")
        #expect(bed.payments.issuers.bookedTotal(in: .mxn) == 0)
    }
}
