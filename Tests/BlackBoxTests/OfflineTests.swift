import Foundation
import Glibc
import Testing

/// Sales while the host is down, and what becomes of them when it is up again, each program a process of its own.
@Suite(.blackBox) struct OfflineTests {
    /// Up to 300.00 each, 500.00 in all, two at a time, and a floor limit above that.
    private func sections(key: String? = nil, enabled: Bool = true) throws -> [String: Any] {
        [
            "terminal": [
                "type": "25", "applications": [["aid": "A0000000031010", "floorLimit": "1000.00"]],
            ] as [String: Any],
            "offline": [
                "enabled": enabled, "perSale": "300.00", "total": "500.00", "count": 2,
                "keyFile": try key ?? keyFile("offline.key", "A5"),
            ] as [String: Any],
        ]
    }

    private func keyFile(_ name: String, _ byte: String, mode: mode_t = 0o600) throws -> String {
        let path = try Workbench.mine().path(name)
        try Data((String(repeating: byte, count: 32) + "\n").utf8).write(to: URL(fileURLWithPath: path))
        chmod(path, mode)
        return path
    }

    /// A configuration whose host is not there.
    private func down(_ sections: [String: Any]) async throws -> String {
        let host = try await HostProcess(settings: ["host": "127.0.0.1:1"], kiosk: sections)
        _ = try await host.close()
        return host.configuration
    }

    private func sell(_ amount: String, _ configuration: String, card: String = "visa-offline") async throws -> Ended {
        try await run(simulatedSale(amount, "--config", configuration, card: card))
    }

    private func offlineState(_ id: String) async throws -> String {
        try await run("transaction", id, "--json").text("offline")
    }

    @Test("the host is down: approved up to the caps; up again: forwarded once, and the books agree")
    func downAndUp() async throws {
        let sections = try sections()
        let down = try await down(sections)
        let sale = try await sell("100.00", down)
        #expect(sale.status == 0, "\(sale.errors)")
        #expect(try sale.text("outcome") == "approved" && sale.text("authorization") == "")
        let id = try sale.text("transactionid")
        #expect(
            sale.errors.hasSuffix(
                "Approved offline, without the host: the sale is stored and will be sent when the host answers, with the "
                    + "next sale or by 'readerctl resolve \(id)'.\n"), "\(sale.errors)")
        #expect(try await offlineState(id) == "stored")
        let receipt = try await run("receipt", id, "--language", "en")
        #expect(receipt.output.contains("SALE - APPROVED OFFLINE"))
        let over = try await sell("300.01", down)
        #expect(over.status == 5 && over.errors.hasPrefix("The request was not sent to the gateway: "))
        #expect(over.errors.contains("above the cap for one sale (offline.perSale)"), "\(over.errors)")
        #expect(try over.text("statusinfo") == "Error del procesador 6001")
        #expect(try await sell("300.00", down).status == 0)
        let third = try await sell("1.00", down)
        #expect(third.status == 5 && third.errors.contains("(offline.count)"), "two at a time")
        let open = try await run("settle", "--open")
        let line =
            "  \(id)  sale  100.00  approved offline, not sent  send it when the host answers: readerctl resolve \(id)"
        #expect(open.status == 0 && open.output.contains(line), "\(open)")
        let forced = try await run("settle", "--force", "--config", down)
        #expect(forced.status == 9 && forced.output.contains(line), "\(forced)")
        #expect(forced.errors.hasPrefix("Nothing was settled: 2 payments wait, and there is nothing else.\n"))
        let document = try await run("settle", "--force", "--config", down, "--json")
        #expect(document.status == 9 && document.output.contains(#""result":"nothing""#))
        #expect(document.output.contains(#""remedy":"forward""#))
        let listed = try await run("resolve", "--list", "--json")
        #expect(listed.status == 7)
        #expect(try listed.list("stored").compactMap { $0["transactionid"] as? String }.contains(id))
        let early = try await run("resolve", "--config", down)
        #expect(early.status == 7 && early.output.contains("no answer (gateway.notSent)"), "\(early)")

        let up = try await HostProcess(kiosk: sections)
        let resolved = try await run("resolve", "--config", up.configuration)
        #expect(resolved.status == 0, "\(resolved.output)\(resolved.errors)")
        #expect(resolved.output.contains("forwarded; the host has booked it (00)"))
        let told = try await up.told("advice")
        #expect(told["responseCode"] as? String == "00")
        #expect(try await offlineState(id) == "forwarded")
        let again = try await run("resolve", "--config", up.configuration)
        #expect(again.status == 0 && again.errors == "Nothing is open.\n")
        let voided = try await run("void", id, "--config", up.configuration)
        #expect(voided.status == 0, "\(voided.errors)")
        let totals = try await up.close()
        #expect(totals["sales"] as? Int == 2 && totals["net"] as? Int == 300_00)
    }

    @Test("the next sale that reaches the host forwards what is stored beside its own work")
    func beside() async throws {
        let sections = try sections()
        let id = try await sell("100.00", down(sections)).text("transactionid")
        let up = try await HostProcess(kiosk: sections)
        let next = try await run(up.sale("20.00"))
        #expect(next.status == 0, "\(next.errors)")
        #expect(try next.text("authorization").count == 6)
        #expect(try await offlineState(id) == "forwarded")
        #expect(try await up.close()["net"] as? Int == 120_00)
    }

    @Test("the host does not pay: told, listed, and not sent again")
    func refused() async throws {
        let sections = try sections()
        let id = try await sell("50.00", down(sections)).text("transactionid")
        let up = try await HostProcess(kiosk: sections)
        let resolved = try await run("resolve", "--config", up.configuration)
        #expect(resolved.status == 0)
        #expect(resolved.output.contains("the host refuses the offline sale (05): nobody pays for it"))
        let listed = try await run("resolve", "--list")
        #expect(listed.status == 0 && listed.output.contains("\(id)  sale  50.00  offline, refused by the host (05)"))
        #expect(try await run("void", id, "--config", up.configuration).status == 9)
        #expect(try await up.close()["net"] as? Int == 0)
    }

    @Test("without offline approvals a host that is down is a failure, and the terminal's type alone approves nothing")
    func off() async throws {
        let sale = try await sell("100.00", down(sections(enabled: false)))
        #expect(sale.status == 5)
        #expect(try sale.text("outcome") == "failed")
        #expect(try await run("resolve", "--list").errors == "Nothing is open.\n")
    }

    @Test("with a key that cannot be read the host's sales are taken, stored ones wait, and a void needs none")
    func unreadableKey() async throws {
        let kept = try await sell("100.00", down(sections())).text("transactionid")
        let dropped = try await sell("30.00", down(sections())).text("transactionid")
        let up = try await HostProcess(kiosk: sections(key: "/nonexistent"))
        let note =
            "Nothing is approved offline, and what is stored stays stored, until its key can be read. offline.keyFile"
        let sale = try await run(up.sale("20.00"))
        #expect(sale.status == 0 && sale.errors.hasPrefix(note), "\(sale)")
        let void = try await run("void", dropped, "--config", up.configuration)
        #expect(void.status == 0 && void.errors.hasPrefix(note), "\(void)")
        #expect(try await offlineState(dropped) == "dropped")
        let resolve = try await run("resolve", "--config", up.configuration)
        #expect(resolve.status == 7 && resolve.output.contains("there is no key to open it with"), "\(resolve)")
        #expect(try await offlineState(kept) == "stored")
        #expect(try await run("config", "check", "--config", up.configuration).status == 2)
        #expect(try await up.close()["net"] as? Int == 20_00)
    }

    @Test("a key that is missing, readable by others, or another one: told, and nothing is lost")
    func keys() async throws {
        let id = try await sell("100.00", down(sections())).text("transactionid")
        let open = try keyFile("open.key", "A5", mode: 0o644)
        for key in [open, "/nonexistent"] {
            let refused = try await sell("1.00", down(sections(key: key)))
            #expect(refused.status == 5 && refused.errors.contains("offline.keyFile: "), "\(refused.errors)")
        }
        let other = try await HostProcess(kiosk: sections(key: keyFile("other.key", "5A")))
        let locked = try await run("resolve", "--config", other.configuration)
        #expect(locked.status == 7 && locked.output.contains("sealed with another key"), "\(locked)")
        #expect(try await other.close()["net"] as? Int == 0)
        #expect(try await offlineState(id) == "stored")
        let right = try await HostProcess(kiosk: sections())
        #expect(try await run("resolve", "--config", right.configuration).status == 0)
        #expect(try await right.close()["net"] as? Int == 100_00)
    }

    @Test("--list is about everything, and alone")
    func usage() async throws {
        expectUsageError(try await run("resolve", "X", "--list"))
        expectUsageError(try await run("resolve", "--list", "--watch"))
        let bare = try await run("resolve", "--list", "--json")
        #expect(bare.status == 0 && bare.output == "{\"open\":[],\"stored\":[],\"refused\":[],\"underway\":[]}\n")
    }
}
