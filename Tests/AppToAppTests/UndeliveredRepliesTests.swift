import Foundation
import Testing

@testable import AppToApp

@Suite struct UndeliveredRepliesTests {
    private static func kept(_ id: String = "01A") throws -> KeptReply {
        let reply = try AppReply(
            parsing: "x://result=aprobada&statusinfo=&reference=a%26b%3D%C3%B1&transactionid=\(id)")
        return KeptReply(
            reply, to: try ReplyAddress(parsing: "https://shop.example/r?a=b"), createdAt: 1_700_000_000_000)
    }

    @Test("a kept reply is one file of its owner's, and reads back whole")
    func keeping() throws {
        let place = try TemporaryPlace()
        let store = UndeliveredReplies(directory: place.path + "/data/undelivered")
        #expect(try store.names() == [])
        let held = try store.keep(try Self.kept(), named: "01A")
        #expect(place.names(in: "data/undelivered") == ["01A.reply"])
        #expect(place.permissions("data/undelivered/01A.reply") == 0o600)
        #expect(place.permissions("data/undelivered") == 0o700)
        #expect(
            place.read("data/undelivered/01A.reply").map { String(decoding: $0, as: UTF8.self) }
                == "version=1&createdAt=1700000000000&attempts=0&problem="
                + "&address=https%3A%2F%2Fshop.example%2Fr%3Fa%3Db"
                + "&reply=result%3Daprobada%26statusinfo%3D%26reference%3Da%2526b%253D%25C3%25B1%26transactionid%3D01A\n"
        )
        #expect(store.reply(named: "01A") == (try Self.kept()))
        try held.failed(.status(503))
        var expected = try Self.kept()
        expected.attempts = 1
        expected.problem = "the server answered 503"
        #expect(store.reply(named: "01A") == expected)
        #expect(place.permissions("data/undelivered/01A.reply") == 0o600)
    }

    @Test("one of many takers gets it, and when it is delivered nobody does")
    func takingOnce() throws {
        let place = try TemporaryPlace()
        let store = UndeliveredReplies(directory: place.path)
        do {
            let held = try store.keep(try Self.kept(), named: "01A")
            #expect(store.take("01A") == nil)
            _ = held.reply
        }
        let first = try #require(store.take("01A"))
        #expect(store.take("01A") == nil)
        try first.delivered()
        #expect(store.take("01A") == nil)
        #expect(try store.names() == [])
    }

    @Test("a reply of the same payment takes the place of the earlier one")
    func replacing() throws {
        let place = try TemporaryPlace()
        let store = UndeliveredReplies(directory: place.path)
        _ = try store.keep(try Self.kept("1"), named: "01A")
        _ = try store.keep(try Self.kept("2"), named: "01A")
        #expect(try store.names() == ["01A"])
        #expect(store.reply(named: "01A")?.reply[.transactionid] == "2")
    }

    @Test("the oldest comes first, and files of others are left alone")
    func names() throws {
        let place = try TemporaryPlace()
        let store = UndeliveredReplies(directory: place.path)
        for name in ["01C", "01A", "01B"] { _ = try store.keep(try Self.kept(), named: name) }
        _ = try place.write([1], "notes.txt")
        #expect(try store.names() == ["01A", "01B", "01C"])
    }

    @Test(
        "a damaged file is no reply, and stays",
        arguments: [
            "", "\n", "version=2&createdAt=1&attempts=0&problem=&address=myapp&reply=result%3Derror\n",
            "version=1&createdAt=x&attempts=0&problem=&address=myapp&reply=result%3Derror\n",
            "version=1&createdAt=1&attempts=-1&problem=&address=myapp&reply=result%3Derror\n",
            "version=1&createdAt=1&attempts=0&problem=&address=file&reply=result%3Derror\n",
            "version=1&createdAt=1&attempts=0&problem=&address=myapp&reply=x\n",
            "version=1&createdAt=1&attempts=0&problem=&address=myapp&reply=result%3Derror",
        ])
    func damaged(text: String) throws {
        let place = try TemporaryPlace()
        let store = UndeliveredReplies(directory: place.path)
        _ = try place.write(Array(text.utf8), "01A.reply")
        #expect(store.reply(named: "01A") == nil)
        #expect(store.take("01A") == nil)
        #expect(place.names() == ["01A.reply"])
    }

    @Test("a directory that others may write, or that is a link, is not used")
    func unsafeDirectory() throws {
        let place = try TemporaryPlace()
        try FileManager.default.createDirectory(
            atPath: place.path + "/open", withIntermediateDirectories: false, attributes: [:])
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: place.path + "/open")
        try FileManager.default.createSymbolicLink(
            atPath: place.path + "/link", withDestinationPath: place.path)
        for name in ["open", "link"] {
            #expect(throws: StorageFailure.self) {
                try UndeliveredReplies(directory: place.path + "/" + name).keep(try Self.kept(), named: "01A")
            }
        }
    }
}
