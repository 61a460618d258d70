import Foundation
import Glibc
import Testing

/// Sales over ISO 8583 against `readerctl host`, each program a process of its own.
@Suite(.blackBox) struct HostTests {
    /// What the ledger says was taken, in minor units.
    private func ledgerTotal() async throws -> Int {
        let all = try await run("transactions", "--json").list("transactions")
        return try all.reduce(0) { total, entry in
            guard let state = entry["state"] as? String,
                ["approved", "refunded", "partiallyRefunded", "settled"].contains(state)
            else { return total }
            let amounts = try ["amount", "tip"].map { key in
                try #require(Int((entry[key] as? String ?? "0.00").replacing(".", with: "")))
            }
            let amount = amounts.reduce(0, +)
            return total + (entry["kind"] as? String == "refund" ? -amount : amount)
        }
    }

    @Test("approved and declined over every profile; the host's totals are the ledger's", arguments: ["ascii", "bcd"])
    func sales(profile: String) async throws {
        let host = try await HostProcess(["--profile", profile], settings: ["profile": profile])
        let approved = try await run(host.sale("100.00", "--tip", "15.00", "--msi", "3"))
        #expect(approved.status == 0, "\(approved.errors)")
        #expect(try approved.text("outcome") == "approved")
        #expect(try approved.text("bank") == "Banco de Pruebas Uno")
        #expect(try approved.text("accountType") == "credit")
        #expect(try approved.text("authorization").count == 6)
        let told = try await host.told("authorisation")
        #expect(told["amount"] as? Int == 115_00)
        #expect(try told["attempt"] as? String == approved.text("transactionid"))
        let declined = try await run(host.sale("50.00"))
        #expect(declined.status == 5)
        #expect(try declined.text("statusinfo").hasPrefix("05 "))
        let scripted = try await run(host.sale("172.00", card: "mastercard-debit"))
        #expect(scripted.status == 0, "\(scripted.errors)")
        let totals = try await host.close()
        #expect(totals["net"] as? Int == 287_00)
        #expect(try await ledgerTotal() == 287_00)
    }

    @Test("no answer, a late one, and a line that breaks after booking: unknown, exit 7")
    func unknown() async throws {
        let script = try Workbench.mine().path("script.json")
        try Data(
            """
            {"faults":[{"fault":"noAnswer","amount":100,"on":"authorisation"},
                       {"fault":"lateAnswer","amount":200,"on":"authorisation","delayMilliseconds":600000},
                       {"fault":"closeAfterBooking","amount":300,"on":"authorisation"}]}
            """.utf8
        ).write(to: URL(fileURLWithPath: script))
        let host = try await HostProcess(["--script", script], hostTimeout: 5)
        for (amount, fault) in [("1.00", "noAnswer"), ("2.00", "lateAnswer"), ("3.00", "closeAfterBooking")] {
            let sale = try await run(host.sale(amount))
            #expect(sale.status == 7, "\(fault): \(sale.output)")
            #expect(try sale.text("outcome") == "unknown")
            let told = try await host.told("authorisation")
            #expect(told["fault"] as? String == fault)
            let stored = try await run("transaction", sale.text("transactionid"), "--json")
            #expect(try stored.text("state") == "unknown")
        }
        let resolved = try await run("resolve", "--config", host.configuration)
        #expect(resolved.status == 0, "\(resolved.output)\(resolved.errors)")
        #expect(try await run("transactions", "--json", "--state", "reversed").list("transactions").count == 3)
        let totals = try await host.close()
        #expect(totals["net"] as? Int == 0)
        #expect(totals["reversals"] as? Int == 3)
        #expect(try await ledgerTotal() == 0)
    }

    @Test("an approval that comes after the sale became unknown is noted, and recovery asks the host")
    func late() async throws {
        let kiosk = try AppKiosk()
        let tools = kiosk.workbench.path("tools")
        try FileManager.default.createDirectory(atPath: tools, withIntermediateDirectories: true)
        // The reply's program takes its time, so that readerctl is still there when the answer comes.
        _ = FileManager.default.createFile(
            atPath: tools + "/xdg-open", contents: Data("#!/bin/sh\nsleep 8\n".utf8),
            attributes: [.posixPermissions: 0o755])
        let script = kiosk.workbench.path("script.json")
        try Data(
            #"{"faults":[{"fault":"lateAnswer","on":"authorisation","times":1,"delayMilliseconds":4000}]}"#.utf8
        ).write(to: URL(fileURLWithPath: script))
        let host = try await HostProcess(["--script", script])
        let configured = try AppKiosk(
            more: #""gateway":{"kind":"iso8583","host":"\#(host.address)"},"hostTimeoutSeconds":2"#)
        var open = configured.open(AppKiosk.sale("100.00"), "--json")
        open.environment = ["PATH": tools + ":/usr/bin:/bin"]
        let sale = try await run(open)
        #expect(sale.status == 7, "\(sale)")
        let id = try sale.text("transactionid")
        let stored = try await run("transaction", id, "--json")
        #expect(try stored.text("state") == "unknown")
        let remarks = try stored.list("journal").compactMap { $0["detail"] as? String }
        #expect(
            remarks.contains("late answer to the authorisation: approved (00); recovery is to ask now"), "\(remarks)")
        #expect(try await run("resolve", id, "--config", host.configuration).status == 0)
        #expect(try await host.close()["net"] as? Int == 0)
    }

    /// Each with its amount, 20.01 and up, on the way of a sale.
    private static let faults = [
        "noAnswer", "lateAnswer", "answerThenClose", "closeAfterBooking", "duplicateAnswer", "wrongMAC",
        "partialApproval", "referral", "wrongPIN", "script71", "script72", "garbage", "halfFrame", "wrongSTAN",
    ]

    @Test("whatever goes wrong on the way, in the sale, the question and the reversal, the books agree in the end")
    func everyFault() async throws {
        let bench = try Workbench.mine()
        let key = bench.path("mac.key")
        try Data("000102030405060708090A0B0C0D0E0F".utf8).write(to: URL(fileURLWithPath: key))
        var rules: [[String: Any]] = Self.faults.enumerated().map { index, fault in
            ["fault": fault, "on": "authorisation", "amount": 2001 + index, "delayMilliseconds": 600_000]
        }
        for fault in ["noAnswer", "closeAfterBooking", "wrongMAC"] {
            rules.append(["fault": fault, "on": "status", "times": 1])
            rules.append(["fault": fault, "on": "reversal", "times": 1])
        }
        let script = bench.path("script.json")
        try JSONSerialization.data(withJSONObject: ["faults": rules]).write(to: URL(fileURLWithPath: script))
        let host = try await HostProcess(
            ["--script", script, "--mac", "hmac-sha256", "--mac-key", key],
            settings: ["mac": "hmac-sha256", "macKeyFile": key], hostTimeout: 4)
        for (index, fault) in Self.faults.enumerated() {
            let sale = try await run(host.sale("20." + (index < 9 ? "0" : "") + "\(index + 1)"))
            // On a machine that is very busy any answer may be late; then it is unknown as well.
            #expect([0, 5, 7].contains(sale.status), "\(fault): \(sale.output)")
            if ["noAnswer", "lateAnswer", "wrongSTAN"].contains(fault) { #expect(sale.status == 7, "\(fault)") }
        }
        for _ in 0..<8 where try await !openPayments().isEmpty {
            _ = try await run("resolve", "--config", host.configuration)
        }
        #expect(try await openPayments().isEmpty)
        let totals = try await host.close()
        #expect(try await ledgerTotal() == totals["net"] as? Int)
        #expect((totals["reversals"] as? Int ?? 0) >= 3)
    }

    private func openPayments() async throws -> [[String: Any]] {
        try await run("transactions", "--json").list("transactions").filter { entry in
            ["unknown", "authorizing", "partiallyApproved"].contains(entry["state"] as? String)
        }
    }

    @Test("a host that is not there: failed, and certainly not sent")
    func unreachable() async throws {
        let host = try await HostProcess(settings: ["host": "127.0.0.1:1"])
        let sale = try await run(host.sale("100.00"))
        #expect(sale.status == 5)
        #expect(try sale.text("outcome") == "failed")
        #expect(sale.errors.hasPrefix("The request was not sent to the gateway: "))
        #expect(try await host.close()["net"] as? Int == 0)
    }

    @Test(
        "codes, sealed card data, a TPDU and pinned TLS; a refund a minute later by a shifted clock",
        .enabled(if: Prerequisites.hostInDress == nil, "\(Prerequisites.hostInDress ?? "")"))
    func inDress() async throws {
        let bench = try Workbench.mine()
        func file(_ name: String, _ text: String) throws -> String {
            try Data(text.utf8).write(to: URL(fileURLWithPath: bench.path(name)))
            return bench.path(name)
        }
        let mac = try file("mac.key", "000102030405060708090A0B0C0D0E0F\n")
        let cardData = try file("card.key", String(repeating: "A5", count: 32) + "\n")
        var make = Program(
            "openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "20",
                "-subj", "/CN=host", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", bench.path("tls.key"), "-out",
                bench.path("tls.pem"),
            ])
        make.mayShowCards = true
        try #require(try await run(make).status == 0)
        let options = [
            "--mac", "retail", "--mac-key", mac, "--card-data-key", cardData, "--tls-cert", bench.path("tls.pem"),
            "--tls-key", bench.path("tls.key"), "--header", "6000010002", "--swap-addresses",
        ]
        let settings: [String: Any] = [
            "mac": "retail", "macKeyFile": mac, "cardDataKeyFile": cardData, "header": "6000010002",
            "swapsAddresses": true, "tlsAuthorityFile": bench.path("tls.pem"), "signsOn": true,
        ]
        let host = try await HostProcess(options, settings: settings)
        let sale = try await run(host.sale("100.00"))
        #expect(sale.status == 0, "\(sale.errors)")
        let later = readerctl([
            "refund", "--transaction-id", try sale.text("transactionid"), "--amount", "40.00", "--json", "--config",
            host.configuration,
        ])
        let refund = try await run(later.later(bySeconds: 61))
        // Late in the evening in Mexico the window is over.
        #expect([0, 9].contains(refund.status), "\(refund.errors)")
        let totals = try await host.close()
        #expect(totals["net"] as? Int == (refund.status == 0 ? 60_00 : 100_00))
        #expect(try await ledgerTotal() == totals["net"] as? Int)
    }

    @Test("it refuses addresses that others can reach, and settings that cannot be")
    func refused() async throws {
        let cases: [([String], String)] = [
            (["--listen", "0.0.0.0:0"], "can be reached from other machines"),
            (["--listen", "[::]:0"], "can be reached from other machines"),
            (["--listen", "8583"], "is not HOST:PORT"),
            (["--listen", "127.0.0.1:0", "--tls-cert", "/nonexistent"], "given together"),
            (["--listen", "127.0.0.1:0", "--mac", "retail"], "given together"),
            (["--listen", "127.0.0.1:0", "--profile", "/nonexistent"], "The profile"),
            (["--listen", "127.0.0.1:0", "--script", "/nonexistent"], "cannot be read"),
            (["--listen", "127.0.0.1:0", "--header", "xyz"], "is not hexadecimal"),
            (["--listen", "127.0.0.1:0", "--header", "60", "--swap-addresses"], "5 bytes"),
            (["--listen", "127.0.0.1:0", "--tls-cert", "/nonexistent", "--tls-key", "/nonexistent"], "certificate"),
        ]
        for (options, words) in cases {
            let ended = try await run(readerctl(["host"] + options))
            #expect(ended.status == 2, "\(options)")
            #expect(ended.errors.contains(words), "\(options): \(ended.errors)")
            #expect(ended.output == "")
        }
    }

    @Test(
        "one JSON object a line does the same, as Python sees it",
        .enabled(if: Prerequisites.python == nil, "\(Prerequisites.python ?? "")"))
    func json() async throws {
        let host = try await HostProcess(["--protocol", "json"])
        var client = Program("python3", ["-c", Self.client, host.address])
        client.mayShowCards = true
        let ended = try await run(client)
        #expect(ended.status == 0, "\(ended.errors)")
        #expect(ended.output == "done\n")
        let totals = try await host.close()
        #expect(totals["net"] as? Int == 90_00)
        #expect(totals["reversals"] as? Int == 1)
    }

    private static let client = """
        import json, socket, sys
        host, port = sys.argv[1].rsplit(":", 1)
        line = socket.create_connection((host, int(port))).makefile("rw")
        def ask(**request):
            line.write(json.dumps(request) + "\\n"); line.flush()
            return json.loads(line.readline())
        card = dict(pan="4761739001010119", expiry="3112", entryMode="magneticStripe", date="261130", time="102030")
        sale = ask(id="1", operation="authorise", attempt="a1", amount="100.00", **card)
        assert (sale["id"], sale["responseCode"], sale["approvedAmount"]) == ("1", "00", "100.00"), sale
        assert ask(id="2", operation="authorise", attempt="a1", amount="100.00", **card)["hostReference"] == \\
            sale["hostReference"]
        assert ask(id="3", operation="status", attempt="a1")["status"] == "approved"
        assert ask(id="4", operation="status", attempt="a2")["status"] == "notFound"
        assert ask(id="5", operation="authorise", attempt="a2", amount="50.00", **card)["responseCode"] == "05"
        assert ask(id="6", operation="authorise", attempt="a3", amount="7.00", **card)["responseCode"] == "00"
        assert ask(id="7", operation="reverse", attempt="a3", amount="7.00")["result"] == "reversed"
        back = ask(id="8", operation="refund", attempt="r1", originalAttempt="a1", amount="10.00", date="261130",
                   time="102031")
        assert back["responseCode"] == "00", back
        assert ask(id="9", operation="totals", currency="MXN")["net"] == 9000
        batch = dict(operation="settle", batch=1, currency="MXN", sales=1, salesAmount=10000, refunds=1)
        wrong = ask(id="12", refundsAmount=999, **batch)
        assert (wrong["responseCode"], wrong["result"], wrong["closed"], wrong["net"]) == \\
            ("95", "differs", False, 9000), wrong
        for number in "13", "14":
            right = ask(id=number, refundsAmount=1000, **batch)
            assert (right["responseCode"], right["result"], right["closed"], right["reversedSales"]) == \\
                ("00", "agreed", True, 1), right
        assert ask(id="15", **batch)["responseCode"] == "30"
        assert ask(id="10", operation="echo")["responseCode"] == "00"
        assert ask(id="11", operation="authorise", attempt="a4", amount="1")["responseCode"] == "30"
        line.write("nonsense\\n"); line.flush()
        assert line.readline() == ""
        print("done")
        """
}
