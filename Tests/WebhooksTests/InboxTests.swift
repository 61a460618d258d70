import Crypto
import Testing
import Webhooks

struct InboxTests {
    private let secret = SecretBytes(Array("demo-secret".utf8))
    private let now: Int64 = 1_700_000_000

    private func receive(_ text: String, in inbox: WebhookInbox, form: WebhookForm = .kushki) throws
        -> WebhookInbox.Verdict
    {
        let body = Array(text.utf8)
        guard form == .kushki else {
            let lines = try form.headers(body: body, time: now, keyID: "m", dedupeID: nil, secret: secret)
            let header = lines.first { $0.hasPrefix("ReaderKit-Signature: ") }?.dropFirst(21)
            return try inbox.receive(body: body, header: header.map { String($0) }, now: now)
        }
        let signature = try WebhookSignature(body: body, time: now, secret: secret)
        return try inbox.receive(body: body, id: signature.id, signature: signature.signature, now: now)
    }

    @Test(arguments: WebhookForm.allCases)
    func eachTransactionIsLetThroughOnce(_ form: WebhookForm) throws {
        let inbox = WebhookInbox(secret: secret)
        #expect(try receive(#"{"transactionid":"t1"}"#, in: inbox, form: form) == .book(transactionID: "t1"))
        let again = try receive(#"{"result":"aprobada","transactionid":"t1"}"#, in: inbox, form: form)
        #expect(again == .repeated(transactionID: "t1") && again.status == 200)
        #expect(try receive(#"{"transactionid":"t2"}"#, in: inbox, form: form) == .book(transactionID: "t2"))
    }

    @Test func whatIsForgedStaleOrNoNoticeIsNotRemembered() throws {
        let inbox = WebhookInbox(secret: secret)
        let body = Array(#"{"transactionid":"t1"}"#.utf8)
        #expect(try inbox.receive(body: body, id: String(now), signature: "00", now: now) == .refused(.badSignature))
        #expect(try inbox.receive(body: body, id: nil, signature: nil, now: now) == .refused(.staleTime))
        #expect(try inbox.receive(body: body, header: "t=1,v1=00", now: now) == .refused(.staleTime))
        #expect(try inbox.receive(body: Array("{}".utf8), id: nil, signature: nil, now: now) == .ping)
        let long = String(repeating: "x", count: 65)
        for text in ["", "[]", #"{"transactionid":7}"#, #"{"transactionid":""}"#, #"{"transactionid":"\#(long)"}"#] {
            #expect(try receive(text, in: inbox) == .malformed)
        }
        let huge = [UInt8](repeating: 0x20, count: WebhookInbox.largestBody + 1)
        #expect(try inbox.receive(body: huge, id: nil, signature: nil, now: now) == .malformed)
        #expect(try receive(#"{"transactionid":"t1"}"#, in: inbox) == .book(transactionID: "t1"))
    }

    @Test func theSignatureOfTheOtherFormIsOpenSSLs() throws {
        // printf '1700000000.{"a":1}' | openssl dgst -sha256 -hmac demo-secret
        let expected = "2a542428182237bed2081dc2d1eabcbd3e780f8750a0be7281a9f494d66be808"
        let body = Array(#"{"a":1}"#.utf8)
        let lines = try WebhookForm.readerkit.headers(
            body: body, time: now, keyID: "m-1", dedupeID: "t1", secret: secret)
        #expect(
            lines == ["ReaderKit-Key: m-1", "ReaderKit-Signature: t=1700000000,v1=\(expected)", "ReaderKit-Id: t1"])
        let header = "v0=1,v1=\(expected),t=1700000000"
        #expect(try WebhookCheck.check(body: body, header: header, secret: secret, now: now + 300) == .genuine)
        #expect(try WebhookCheck.check(body: body, header: header, secret: secret, now: now + 301) == .staleTime)
        #expect(try WebhookCheck.check(body: body + [0x20], header: header, secret: secret, now: now) == .badSignature)
        #expect(try WebhookCheck.check(body: body, header: nil, secret: secret, now: now) == .staleTime)
    }

    @Test func memoryIsBoundedAndTheOldestIsForgottenFirst() {
        var seen = SeenNotices(capacity: 3)
        let first = ["a", "b", "c", "a", "d"].map { seen.isNew($0) }
        #expect(first == [true, true, true, false, true])
        #expect(seen.count == 3)
        // "a" has made room for "d".
        let second = ["b", "a"].map { seen.isNew($0) }
        #expect(second == [false, true])
        let many = (0..<10_000).map { seen.isNew("n\($0)") }
        #expect(many.allSatisfy { $0 })
        #expect(seen.count == 3)
        let none = ["", String(repeating: "x", count: 65)].map { seen.isNew($0) }
        #expect(none == [false, false])
    }
}
