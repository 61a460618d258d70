import Foundation
import Glibc
import Testing

/// What an app hears when the outcome of its payment was unknown at first, and when the kiosk cannot serve it at all.
@Suite(.blackBox) struct FinalReplyTests {
    /// A stand-in for xdg-open that writes down what it is given, and ends with this status.
    private static func handler(status: Int = 0) throws -> [String: String?] {
        let workbench = try Workbench.mine()
        let tools = workbench.path("tools-\(status)")
        try FileManager.default.createDirectory(atPath: tools, withIntermediateDirectories: true)
        let script = "#!/bin/sh\nprintf '%s\\n' \"$@\" >>'\(workbench.path("handed-over"))'\nexit \(status)\n"
        _ = FileManager.default.createFile(
            atPath: tools + "/xdg-open", contents: Data(script.utf8), attributes: [.posixPermissions: 0o755])
        return ["PATH": tools + ":/usr/bin:/bin"]
    }

    private static func handedOver() throws -> [ReplyText] {
        let content = FileManager.default.contents(atPath: try Workbench.mine().path("handed-over")) ?? Data()
        return String(decoding: content, as: UTF8.self).split(separator: "\n").map { ReplyText(String($0)) }
    }

    private static func files(in directory: String) throws -> [String] {
        let path = try Workbench.mine().data + "/" + directory
        return ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).filter { !$0.hasPrefix(".") }
    }

    private func program(_ arguments: [String], _ kiosk: AppKiosk, status: Int = 0) throws -> Program {
        var program = readerctl(arguments + ["--config", kiosk.configuration])
        program.environment = try Self.handler(status: status)
        return program
    }

    /// The id of a sale whose app was told that its outcome is unknown.
    private func unknownSale(_ kiosk: AppKiosk) async throws -> String {
        var open = kiosk.open(
            AppKiosk.sale("180.00", ("tip", "10.00"), ("reference", "Mesa 7"), ("msi", "3")), "--json")
        open.environment = try Self.handler()
        let ended = try await run(open)
        #expect(ended.status == 7, "\(ended)")
        let first = try #require(try Self.handedOver().last)
        #expect(first["outcome"] == "unknown" && first["result"] == "error")
        return try ended.text("transactionid")
    }

    @Test("once it is resolved, the app gets the final reply, with everything it sent, and gets it once")
    func resolved() async throws {
        let kiosk = try AppKiosk(more: #""hostTimeoutSeconds":1"#)
        let id = try await unknownSale(kiosk)
        #expect(try Self.files(in: "awaited") == [id + ".reply"])
        #expect(try await run(program(["resolve", "--json"], kiosk)).status == 0)
        let replies = try Self.handedOver()
        #expect(replies.count == 2)
        let last = try #require(replies.last)
        #expect(last["result"] == "error" && last["statusinfo"] == "La transacción fue revertida")
        #expect(last["outcome"] == nil && last["transactionid"] == id)
        #expect(last["amount"] == "180.00" && last["tip"] == "10.00" && last["reference"] == "Mesa 7")
        #expect(last["msi"] == "3" && last["identifier"] == "id-1" && last.address == "myapp://")
        #expect(try Self.files(in: "awaited").isEmpty && Self.files(in: "undelivered").isEmpty)
        for arguments in [["resolve"], ["open", "--retry"]] { _ = try await run(program(arguments, kiosk)) }
        #expect(try Self.handedOver().count == 2)
        #expect(kiosk.filesHoldingToken() == [])
    }

    @Test("a final reply that is not taken is kept, and offered by --retry")
    func kept() async throws {
        let kiosk = try AppKiosk(more: #""hostTimeoutSeconds":1"#)
        let id = try await unknownSale(kiosk)
        // Nobody takes replies now; a plain resolve of another merchant's tool would leave it as well.
        #expect(try await run(program(["resolve"], kiosk, status: 4)).status == 0)
        #expect(try Self.files(in: "undelivered") == [id + ".reply"] && Self.files(in: "awaited").isEmpty)
        let listed = try await run("open", "--pending", "--json").list("replies")
        let reply = try #require(listed.first?["reply"] as? [String: Any])
        #expect(reply["statusinfo"] as? String == "La transacción fue revertida" && reply["outcome"] == nil)
        let retried = try await run(program(["open", "--retry", "--json"], kiosk))
        #expect(retried.output == "{\"delivered\":[\"\(id)\"],\"replies\":[]}\n")
        #expect(try Self.handedOver().last?["transactionid"] == id)
    }

    @Test("what another program has resolved is found by open --retry")
    func resolvedElsewhere() async throws {
        let kiosk = try AppKiosk(more: #""hostTimeoutSeconds":1"#)
        let id = try await unknownSale(kiosk)
        // It has not got the kiosk's configuration, so it may not reply.
        #expect(try await run("resolve").status == 0)
        let retried = try await run(program(["open", "--retry", "--json"], kiosk))
        #expect(retried.status == 0)
        #expect(try Self.handedOver().map { $0["transactionid"] } == [id, id])
    }

    @Test("an app that asks again and hears the outcome is not told a second time")
    func askedAgain() async throws {
        let kiosk = try AppKiosk(more: #""hostTimeoutSeconds":1"#)
        _ = try await unknownSale(kiosk)
        var again = kiosk.open(
            AppKiosk.sale("180.00", ("tip", "10.00"), ("reference", "Mesa 7"), ("msi", "3")), "--json")
        again.environment = try Self.handler()
        #expect(try await run(again).status == 5)
        #expect(try Self.files(in: "awaited").isEmpty)
        _ = try await run(program(["resolve"], kiosk))
        #expect(try Self.handedOver().count == 2)
    }

    @Test("a token file that cannot be read: the caller gets an error reply, the operator the reason")
    func tokenFile() async throws {
        let kiosk = try AppKiosk()
        chmod(kiosk.workbench.path("user-token"), 0o644)
        var open = kiosk.open(AppKiosk.sale("100.00"))
        open.environment = try Self.handler()
        let ended = try await run(open)
        #expect(ended.status == 2)
        #expect(ended.errors.contains("userToken.userTokenFile: a file that others cannot reach is expected"))
        let reply = try #require(try Self.handedOver().first)
        #expect(reply["result"] == "error" && reply["statusinfo"] == "El equipo no está bien configurado")
        #expect(reply["identifier"] == "id-1" && reply["amount"] == "100.00")
        #expect(try await run("transactions", "--json").list("transactions").isEmpty)
        #expect(kiosk.filesHoldingToken() == [])
    }
}
