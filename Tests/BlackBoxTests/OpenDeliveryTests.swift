import Foundation
import Testing

/// `readerctl open`: the reply on its way to the app that asked.
@Suite(.blackBox) struct OpenDeliveryTests {
    /// A stand-in for xdg-open that writes down what it is given, and ends with this status.
    private static func handler(status: Int = 0) throws -> [String: String?] {
        let workbench = try Workbench.mine()
        let tools = workbench.path("tools")
        try FileManager.default.createDirectory(atPath: tools, withIntermediateDirectories: true)
        let script = "#!/bin/sh\nprintf '%s\\n' \"$#\" \"$@\" >>'\(workbench.path("handed-over"))'\nexit \(status)\n"
        _ = FileManager.default.createFile(
            atPath: tools + "/xdg-open", contents: Data(script.utf8), attributes: [.posixPermissions: 0o755])
        return ["PATH": tools + ":/usr/bin:/bin"]
    }

    private static func handedOver() throws -> String {
        let content = FileManager.default.contents(atPath: try Workbench.mine().path("handed-over")) ?? Data()
        return String(decoding: content, as: UTF8.self)
    }

    private static func undelivered() throws -> [String] {
        let path = try Workbench.mine().data + "/undelivered"
        return ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).filter { !$0.hasPrefix(".") }
    }

    @Test("an app's scheme: its program gets the exact reply as one argument")
    func customScheme() async throws {
        let kiosk = try AppKiosk()
        var program = kiosk.open(
            AppKiosk.sale("100.00", ("reference", "a b \"'$(id)`;&|<>\\é"), address: "myapp:"), "--json")
        program.environment = try Self.handler()
        let ended = try await run(program)
        #expect(ended.status == 0, "\(ended)")
        let lines = try Self.handedOver().split(separator: "\n").map(String.init)
        #expect(lines.count == 2 && lines.first == "1")
        let reply = ReplyText(lines.last ?? "")
        #expect(reply["transactionid"] == (try ended.text("transactionid")))
        #expect(
            lines.last?.contains("&reference=a%20b%20%22%27%24%28id%29%60%3B%26%7C%3C%3E%5C%C3%A9&") == true)
        #expect(try Self.undelivered().isEmpty)
        let stored = try await run("transaction", ended.text("transactionid"), "--json")
        let remarks = try stored.list("journal").compactMap { $0["detail"] as? String }
        #expect(remarks.filter { $0 == "reply delivered to myapp://" }.count == 1)
        #expect(kiosk.filesHoldingToken() == [])
    }

    @Test("errors are delivered too")
    func error() async throws {
        var program = try AppKiosk().open(AppKiosk.sale("0.00"))
        program.environment = try Self.handler()
        #expect(try await run(program).status == 2)
        let handed = try Self.handedOver()
        #expect(handed.hasPrefix("1\nmyapp://result=error&statusinfo=El%20par%C3%A1metro%20amount%20no%20es%20v"))
    }

    @Test(
        "a server gets the query by GET, behind a query of its own",
        .enabled(if: Prerequisites.python == nil, "\(Prerequisites.python ?? "")"))
    func get() async throws {
        let server = try await ReplyServer.start()
        let kiosk = try AppKiosk(replies: [server.origin])
        let ended = try await run(
            kiosk.open(AppKiosk.sale("100.00", ("reference", "é&#"), address: server.origin + "/r?a=b"), "--json"))
        #expect(ended.status == 0, "\(ended)")
        let request = try await server.request()
        #expect(request[0] == "GET")
        #expect(request[1].hasPrefix("/r?a=b&result=aprobada&statusinfo=&amount=100.00&reference=%C3%A9%26%23&"))
        let printed = try await run(
            kiosk.open(AppKiosk.sale("100.00", ("reference", "é&#"), address: server.origin + "/r", id: "n"), "--print")
        )
        #expect(printed.output.hasPrefix(server.origin + "/r?result=aprobada&statusinfo=&amount=100.00&"))
        #expect(kiosk.filesHoldingToken() == [])
    }

    @Test(
        "or the same fields as JSON by POST, when configured",
        .enabled(if: Prerequisites.python == nil, "\(Prerequisites.python ?? "")"))
    func post() async throws {
        let server = try await ReplyServer.start()
        let kiosk = try AppKiosk(replies: [server.origin], more: "\"replyMethod\":\"post\"")
        let url = AppKiosk.sale("100.00", ("tip", "1.00"), ("reference", "é&#"), address: server.origin + "/r?a=b")
        let ended = try await run(kiosk.open(url, "--json"))
        let request = try await server.request()
        #expect(Array(request[..<3]) == ["POST", "/r?a=b", "application/json"])
        let body = try #require(try JSONSerialization.jsonObject(with: Data(request[3].utf8)) as? [String: Any])
        #expect(body["msi"] as? Int == 0 && body["reference"] as? String == "é&#")
        #expect(body["transactionid"] as? String == (try ended.text("transactionid")))
        let expected = [
            "result", "statusinfo", "amount", "tip", "reference", "transactionid", "msi", "authorization", "creditcard",
            "cardtype", "arqc", "aid", "applabel", "url", "identifier", "bank", "accountType", "name", "bp_version",
        ]
        #expect(body.keys.sorted() == expected.sorted())
        #expect(
            request[3].hasPrefix("{\"result\":\"aprobada\",\"statusinfo\":\"\",\"amount\":\"100.00\",\"tip\":\"1.00\",")
        )
    }

    @Test(
        "a reply that is not taken is kept, listed, and offered until it is",
        .enabled(if: Prerequisites.python == nil, "\(Prerequisites.python ?? "")"), arguments: [503, 302])
    func kept(status: Int) async throws {
        let refusing = try await ReplyServer.start(status: status)
        let kiosk = try AppKiosk(replies: [refusing.origin, "myapp"])
        let ended = try await run(kiosk.open(AppKiosk.sale("100.00", address: refusing.origin + "/r"), "--json"))
        #expect(ended.status == 0, "the payment's own status")
        #expect(ended.errors.contains("could not be delivered: the server answered \(status)"))
        let id = try ended.text("transactionid")
        #expect(try Self.undelivered() == [id + ".reply"])
        let attributes = try FileManager.default.attributesOfItem(
            atPath: kiosk.workbench.data + "/undelivered/\(id).reply")
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        let listed = try await run("open", "--pending", "--json")
        #expect(listed.status == 0)
        let reply = try #require(try listed.list("replies").first)
        #expect(
            reply["transactionid"] as? String == id && reply["attempts"] as? Int == 1
                && reply["address"] as? String == refusing.origin + "/r")
        let again = try await run(readerctl(["open", "--retry", "--json", "--config", kiosk.configuration]))
        #expect(again.status == 7)
        #expect(try again.list("replies").first?["attempts"] as? Int == 2)
        // The next request of anybody offers it again; so does --retry, once the address is allowed no longer.
        var next = kiosk.open(AppKiosk.sale("10.00", id: "next"))
        next.environment = try Self.handler()
        #expect(try await run(next).status == 5)
        #expect(try await run("open", "--pending", "--json").list("replies").first?["attempts"] as? Int == 3)
        let closed = try AppKiosk(replies: ["other"])
        _ = try await run(readerctl(["open", "--retry", "--config", closed.configuration]))
        let problem = try await run("open", "--pending", "--json").list("replies").first?["problem"] as? String
        #expect(problem?.contains("replySchemes") == true)
        #expect(kiosk.filesHoldingToken() == [])
    }

    @Test("refused requests cannot fill the disk: from 1000 kept replies on, only those about payments are kept")
    func manyKept() async throws {
        let kiosk = try AppKiosk()
        let store = kiosk.workbench.data + "/undelivered"
        try FileManager.default.createDirectory(atPath: store, withIntermediateDirectories: true)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: kiosk.workbench.data)
        for index in 0..<1000 { try Data().write(to: URL(fileURLWithPath: "\(store)/x\(index).reply")) }
        for (amount, kept) in [("0.00", 1000), ("100.00", 1001)] {
            var program = kiosk.open(AppKiosk.sale(amount))
            program.environment = try Self.handler(status: 4)
            _ = try await run(program)
            #expect(try Self.undelivered().count == kept)
        }
    }

    @Test("a program that was missing gets the reply by --retry, once")
    func retried() async throws {
        let kiosk = try AppKiosk()
        var program = kiosk.open(AppKiosk.sale("100.00"), "--json")
        program.environment = try Self.handler(status: 4)
        let ended = try await run(program)
        #expect(ended.status == 0 && ended.errors.contains("ended with 4"))
        try FileManager.default.removeItem(atPath: kiosk.workbench.path("handed-over"))
        var retry = readerctl(["open", "--retry", "--json", "--config", kiosk.configuration])
        retry.environment = try Self.handler()
        let delivered = try await run(retry)
        #expect(delivered.status == 0)
        #expect(delivered.output == "{\"delivered\":[\"\(try ended.text("transactionid"))\"],\"replies\":[]}\n")
        #expect(try await run(retry).output == "{\"delivered\":[],\"replies\":[]}\n")
        #expect(try Self.handedOver().split(separator: "\n").count == 2)
        #expect(try Self.undelivered().isEmpty)
    }

    @Test("a reply to Ctrl-C is delivered: the caller is told of the cancel")
    func cancelled() async throws {
        let kiosk = try AppKiosk()
        var program = kiosk.open(AppKiosk.sale("100.00"), card: "slow")
        program.environment = try Self.handler()
        let running = try kiosk.workbench.start(program)
        _ = try await transaction(in: "readerArmed", while: running)
        running.send(SIGINT)
        let ended = await running.end()
        #expect([0, 6].contains(ended.status))
        let handed = try Self.handedOver()
        #expect(
            handed.contains(
                ended.status == 6
                    ? "result=error&statusinfo=La%20transacci%C3%B3n%20fue%20cancelada" : "result=aprobada"))
    }

    // MARK: Photos

    @Test("a photo is stored under the sale that asked for it")
    func photo() async throws {
        let kiosk = try AppKiosk()
        let png = kiosk.workbench.path("photo")
        try Data(Self.png).write(to: URL(fileURLWithPath: png))
        let url = AppKiosk.sale("100.00", ("showPhotoButton", "true"), ("mandatoryPhoto", "true"))
        let ended = try await run(kiosk.open(url, "--print", "--photo", png))
        #expect(ended.status == 0, "\(ended)")
        let id = try #require(ReplyText(ended.output)["transactionid"])
        let stored = kiosk.workbench.data + "/photos/" + id
        #expect(FileManager.default.contents(atPath: stored) == Data(Self.png))
        let attributes = try FileManager.default.attributesOfItem(atPath: stored)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
    }

    @Test("a declined sale keeps no photo; one that nobody asked for, and a script under its name, are refused")
    func photoRefused() async throws {
        let kiosk = try AppKiosk()
        let png = kiosk.workbench.path("photo.png")
        let script = kiosk.workbench.path("script.png")
        try Data(Self.png).write(to: URL(fileURLWithPath: png))
        try Data("#!/bin/sh\n".utf8).write(to: URL(fileURLWithPath: script))
        let mandatory = [("showPhotoButton", "true"), ("mandatoryPhoto", "true")]
        let disguised = try await run(
            kiosk.open(AppKiosk.sale("100.00", mandatory[0], mandatory[1]), "--print", "--photo", script))
        #expect(disguised.status == 2 && ReplyText(disguised.output)["statusinfo"] == "La foto es obligatoria")
        let unasked = try await run(kiosk.open(AppKiosk.sale("100.00"), "--print", "--photo", png))
        #expect(unasked.status == 2)
        #expect(try await run("transactions", "--json").list("transactions").isEmpty)
        let declined = try await run(kiosk.open(AppKiosk.sale("50.00", mandatory[0]), "--print", "--photo", png))
        #expect(declined.status == 5)
        let photos = try FileManager.default.contentsOfDirectory(atPath: kiosk.workbench.data + "/photos")
        #expect(photos.isEmpty)
    }

    /// One black pixel.
    static let png: [UInt8] = [
        0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 0x0D, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 1, 0, 0, 0, 1,
        8, 0,
        0, 0, 0, 0x3A, 0x7E, 0x9B, 0x55, 0, 0, 0, 0x0A, 0x49, 0x44, 0x41, 0x54, 0x78, 0x9C, 0x63, 0x60, 0, 0, 0, 2, 0,
        1,
        0x48, 0xAF, 0xA4, 0x71, 0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82,
    ]
}
