import Foundation
import Glibc
import Testing

/// Approved sales told to the merchant's server, which Python plays.
@Suite(.blackBox, .enabled(if: Prerequisites.python == nil, "\(Prerequisites.python ?? "")"))
struct WebhookTests {
    /// Nobody listens there.
    private static let nowhere = "http://127.0.0.1:1/hook"

    private func untoldSales(_ count: Int) async throws -> [String] {
        var ids: [String] = []
        for _ in 0..<count { ids.append(try await run(simulatedSale("1.00")).text("transactionid")) }
        return ids
    }

    private func states(_ kiosk: WebhookKiosk) async throws -> [String] {
        try await run(kiosk.webhooks()).list("webhooks").compactMap { $0["state"] as? String }
    }

    @Test(
        "a sale is told of beside its own end, and Python finds the signatures right",
        arguments: ["kushki", "readerkit"])
    func beside(form: String) async throws {
        let receiver = try await WebhookReceiver.start()
        let kiosk = try WebhookKiosk(receiver.url("/ok"), more: #""form":"\#(form)","userId":17"#)
        let sale = try await run(kiosk.sale())
        #expect(sale.status == 0 && sale.errors == "", "\(sale)")
        let heard = try await receiver.heard()
        #expect(heard.isGenuine && heard.path == "/ok")
        let id = try sale.text("transactionid")
        let notice = try #require(try JSONSerialization.jsonObject(with: Data(heard.body.utf8)) as? [String: Any])
        #expect(notice["transactionid"] as? String == id && notice["amount"] as? String == "100.00")
        #expect(notice["userID"] as? Int == 17 && notice["result"] as? String == "aprobada")
        for key in ["authorization", "creditcard", "cardtype", "arqc", "aid", "applabel", "url"] {
            #expect(notice[key] as? String == (try sale.text(key)), "\(key)")
        }
        #expect(try await states(kiosk) == ["delivered"])
        let journal = try await run("transaction", id, "--json").list("journal").compactMap { $0["detail"] as? String }
        #expect(journal.last == "webhook delivered, attempt 1")
        // What was declined is nobody's business.
        #expect(try await run(kiosk.sale("50.00")).status == 5)
        #expect(try await run(kiosk.webhooks("--send")).output == #"{"attempts":[],"pending":0,"dead":0}"# + "\n")
        #expect(try await receiver.close().isEmpty)
        #expect(kiosk.filesHoldingSecret() == [])
    }

    @Test("a receiver that is down does not matter to the payment; when it is up again it hears of it, once")
    func downThenUp() async throws {
        let first = try await WebhookReceiver.start()
        let kiosk = try WebhookKiosk(first.url("/ok"))
        _ = try await first.close()
        let sale = try await run(kiosk.sale())
        #expect(sale.status == 0 && sale.errors == "")
        let id = try sale.text("transactionid")
        let listed = try await run(kiosk.webhooks())
        #expect(listed.status == 0)
        #expect(try listed.list("webhooks").first?["transactionid"] as? String == id)
        #expect(try listed.object()["pending"] as? Int == 1)
        let second = try await WebhookReceiver.start(port: first.port)
        let retried = try await run(kiosk.webhooks("--retry", id))
        #expect(retried.status == 0, "\(retried)")
        #expect(try await second.heard().isGenuine)
        let again = try await run(kiosk.webhooks("--retry", id))
        #expect(again.status == 9 && again.errors == "The server has been told of '\(id)' already.\n")
        #expect(try await run(kiosk.webhooks("--send")).status == 0)
        #expect(try await second.close().isEmpty)
        #expect(try await states(kiosk) == ["delivered"])
    }

    @Test(
        "what is no success is tried again, and bounded: statuses, redirects, a slow and a huge answer",
        arguments: [
            ("/status/404", "the server answered 404"), ("/status/503", "the server answered 503"),
            ("/redirect", "the server answered 307"), ("/loris", "the server did not answer in time"),
            ("/huge", "the server's answer is too long"),
        ])
    func refused(path: String, problem: String) async throws {
        let receiver = try await WebhookReceiver.start()
        let id = try await untoldSales(1)[0]
        let kiosk = try WebhookKiosk(receiver.url(path))
        let sent = try await run(kiosk.webhooks("--send"))
        #expect(sent.status == 7, "\(sent)")
        let attempt = try #require(try sent.list("attempts").first)
        #expect(attempt["transactionid"] as? String == id && attempt["problem"] as? String == problem)
        #expect(attempt["state"] as? String == "pending" && attempt["tries"] as? Int == 1)
        #expect(try await receiver.close().map(\.path) == [path], "a redirect is not followed")
        #expect(kiosk.filesHoldingSecret() == [])
    }

    @Test("another secret, and a clock that is wrong by ten minutes, are refused by the receiver")
    func forged() async throws {
        let receiver = try await WebhookReceiver.start()
        _ = try await untoldSales(1)
        let forger = try WebhookKiosk(receiver.url("/ok"), secret: "another-secret")
        let sent = try await run(forger.webhooks("--send"))
        #expect(sent.status == 7)
        #expect(try sent.list("attempts").first?["problem"] as? String == "the server answered 403")
        let heard = try await receiver.heard()
        #expect(!heard.isSigned && heard.isFresh)
        guard Prerequisites.faketime == nil else { return }
        let kiosk = try WebhookKiosk(receiver.url("/ok"))
        #expect(try await run(kiosk.webhooks("--send").later(bySeconds: 600)).status == 7)
        let late = try await receiver.heard()
        #expect(late.isSigned && !late.isFresh)
    }

    @Test("the address can be tried: the body {} is signed, and nobody books it")
    func ping() async throws {
        let receiver = try await WebhookReceiver.start()
        let kiosk = try WebhookKiosk(receiver.url("/ok"))
        let ended = try await run(kiosk.webhooks("--ping"))
        #expect(ended.status == 0 && ended.output == #"{"delivered":true,"problem":null}"# + "\n")
        let heard = try await receiver.heard()
        #expect(heard.body == "{}" && heard.isGenuine)
        let failed = try await run(WebhookKiosk(Self.nowhere).webhooks("--ping"))
        #expect(failed.status == 7 && failed.errors.contains("cannot be reached"))
    }

    @Test("two programs that send at the same moment send each notice once")
    func twoPrograms() async throws {
        let receiver = try await WebhookReceiver.start()
        let ids = try await untoldSales(6)
        let kiosk = try WebhookKiosk(receiver.url("/ok"))
        async let left = run(kiosk.webhooks("--send"))
        async let right = run(kiosk.webhooks("--send"))
        let ended = try await [left, right]
        #expect(ended.allSatisfy { [0, 7].contains($0.status) }, "\(ended)")
        #expect(try ended.flatMap { try $0.list("attempts") }.count == ids.count)
        let heard = try await receiver.close()
        #expect(heard.filter { !$0.isGenuine }.isEmpty)
        #expect(heard.map(\.transactionID).sorted() == ids.sorted())
    }

    @Test(
        "killed between the sending and the writing down, the notice comes again with the same id",
        .enabled(if: Prerequisites.faketime == nil, "\(Prerequisites.faketime ?? "")"))
    func killed() async throws {
        let receiver = try await WebhookReceiver.start()
        let id = try await untoldSales(1)[0]
        let held = try Workbench.mine().start(WebhookKiosk(receiver.url("/hold")).webhooks("--send"))
        let first = try await receiver.heard()
        held.send(SIGKILL)
        #expect(await held.end().status == 128 + SIGKILL)
        #expect(first.isGenuine && first.transactionID == id)
        let kiosk = try WebhookKiosk(receiver.url("/ok"))
        // The dead program's claim holds for a minute.
        #expect(try await run(kiosk.webhooks("--send")).list("attempts").isEmpty)
        #expect(try await run(kiosk.webhooks("--send").later(bySeconds: 61)).status == 0)
        let second = try await receiver.heard()
        #expect(second.isGenuine && second.body == first.body)
        #expect(try await states(kiosk) == ["delivered"])
    }

    @Test("over TLS with an authority of one's own; without it, and for another's certificate, nothing is sent")
    func authority() async throws {
        guard Prerequisites.missing(tool: "openssl") == nil else { return }
        let bench = try Workbench.mine()
        for name in ["mine", "other"] {
            var make = Program(
                "openssl",
                [
                    "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "20",
                    "-subj", "/CN=receiver", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout",
                    bench.path(name + ".key"), "-out", bench.path(name + ".pem"),
                ])
            make.mayShowCards = true
            try #require(try await run(make).status == 0)
        }
        let receiver = try await WebhookReceiver.start(certificate: (bench.path("mine.pem"), bench.path("mine.key")))
        _ = try await untoldSales(1)
        for authority in ["", bench.path("other.pem")] {
            let more = authority.isEmpty ? "" : #""authorityFile":"\#(authority)""#
            let refused = try await run(WebhookKiosk(receiver.url("/ok"), more: more).webhooks("--ping"))
            #expect(refused.status == 7 && refused.errors.contains("no trusted connection"), "\(refused)")
        }
        let kiosk = try WebhookKiosk(receiver.url("/ok"), more: #""authorityFile":"\#(bench.path("mine.pem"))""#)
        #expect(try await run(kiosk.webhooks("--send")).status == 0)
        #expect(try await receiver.close().map(\.isGenuine) == [true])
    }

    @Test("--watch sends what comes, a line each, and ends with 0 when nothing is left, else with 7")
    func watch() async throws {
        let receiver = try await WebhookReceiver.start()
        let kiosk = try WebhookKiosk(receiver.url("/ok"))
        let watch = try Workbench.mine().start(kiosk.webhooks("--watch"))
        let id = try await untoldSales(1)[0]
        let line = try #require(await watch.line(containing: id))
        #expect(line == #"{"transactionid":"\#(id)","state":"delivered","tries":1,"dueAt":null,"problem":null}"#)
        watch.send(SIGINT)
        #expect(await watch.end().status == 0)
        let other = try Workbench.mine().start(WebhookKiosk(Self.nowhere).webhooks("--watch"))
        let left = try await untoldSales(1)[0]
        #expect(await other.line(containing: left)?.contains(#""state":"pending""#) == true)
        other.send(SIGINT)
        #expect(await other.end().status == 7)
    }

    @Test("mistakes: nobody named, two wishes at once, an id that is not there, a sale that was declined")
    func usage() async throws {
        expectWrongName(try await run("webhooks", "--send"))
        expectUsageError(try await run("webhooks", "--send", "--watch"))
        #expect(
            try await run("webhooks", "--json").output == #"{"webhooks":[],"pending":0,"delivered":0,"dead":0}"# + "\n")
        let kiosk = try WebhookKiosk(Self.nowhere)
        expectWrongName(try await run(kiosk.webhooks("--retry", "X")))
        let declined = try await run(simulatedSale("50.00")).text("transactionid")
        expectWrongName(try await run(kiosk.webhooks("--retry", "X")))
        let refused = try await run(kiosk.webhooks("--retry", declined))
        #expect(refused.status == 9)
        #expect(refused.errors == "The transaction '\(declined)' is declined: only approved sales are told of.\n")
    }

    @Test("a secret that others can read stops the webhooks, not the payment, and config check names it")
    func openSecret() async throws {
        let kiosk = try WebhookKiosk(Self.nowhere)
        let secret = try #require(
            try FileManager.default.contentsOfDirectory(atPath: kiosk.workbench.directory)
                .first { $0.hasPrefix("webhook-secret") })
        chmod(kiosk.workbench.path(secret), 0o644)
        let sale = try await run(kiosk.sale())
        #expect(sale.status == 0)
        #expect(sale.errors.hasPrefix("Webhooks are not sent. ") && sale.errors.contains("webhook.secretFile"))
        let checked = try await run("config", "check", "--json", "--config", kiosk.configuration)
        #expect(checked.status == 2)
        let finding = try #require(
            try checked.list("findings").first { $0["path"] as? String == "webhook.secretFile" })
        #expect((finding["message"] as? String)?.hasPrefix("a file that others cannot reach is expected") == true)
        for output in [sale.output, sale.errors, checked.output, checked.errors] {
            #expect(!output.contains(WebhookReceiver.secret))
        }
        #expect(try await run(kiosk.webhooks("--send")).status == 2)
    }
}
