import Foundation
import Testing
import Transport

@testable import AppToApp

@Suite struct DeliveryTests {
    private static func settings(_ handler: [String]) throws -> AppToAppSettings {
        var settings = AppToAppSettings()
        settings.replies = try ReplyAllowList(["myapp"])
        settings.handler = handler
        return settings
    }

    private static func deliver(
        _ settings: AppToAppSettings, to address: String = "myapp",
        clock: any MonotonicClock = SystemMonotonicClock.shared
    ) async throws -> DeliveryFailure? {
        let reply = try AppReply(parsing: "x://result=error&statusinfo=a%20%27%22%24(id)%60%3B%26b")
        let address = try ReplyAddress(parsing: address)
        do throws(DeliveryFailure) {
            try await ReplyDelivery(settings, clock: clock).deliver(reply, to: address)
            return nil
        } catch {
            return error
        }
    }

    /// A program that writes down its arguments, one a line, as a command: a file that was just written cannot be started
    /// itself while another test's child still has it open (ETXTBSY).
    private static func recorder(_ place: TemporaryPlace, status: Int = 0) throws -> [String] {
        let script = "printf '%s\\n' \"$#\" \"$@\" >'\(place.path)/arguments'\nexit \(status)\n"
        let file = try place.write(Array(script.utf8), "handler")
        return ["/bin/sh", file]
    }

    @Test("the registered program gets the exact URL as its one last argument")
    func handler() async throws {
        let place = try TemporaryPlace()
        let program = try Self.recorder(place)
        #expect(try await Self.deliver(Self.settings(program + ["--from", "a b"])) == nil)
        let written = place.read("arguments").map { String(decoding: $0, as: UTF8.self) }
        #expect(
            written == "3\n--from\na b\nmyapp://result=error&statusinfo=a%20%27%22%24%28id%29%60%3B%26b\n")
    }

    @Test("a program that fails, and one that is not there, are failures")
    func failing() async throws {
        let place = try TemporaryPlace()
        #expect(try await Self.deliver(Self.settings(Self.recorder(place, status: 3))) == .handlerFailed(status: 3))
        #expect(
            try await Self.deliver(Self.settings(["/nonexistent/program"]))
                == .handlerMissing("/nonexistent/program: No such file or directory"))
        #expect(try await Self.deliver(Self.settings([])) == .handlerMissing("none is configured"))
    }

    @Test("a program that goes on running has got the URL")
    func running() async throws {
        let place = try TemporaryPlace()
        _ = mkfifo(place.path + "/gate", 0o600)
        let script = "#!/bin/sh\nread line <'\(place.path)/gate'\nexit 1\n"
        let program = try place.write(Array(script.utf8), "waiter")
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: program)
        var settings = try Self.settings([program])
        settings.deliveryLimit = .zero
        #expect(try await Self.deliver(settings) == nil)
        // Opens when the program has opened its end, and lets it go on.
        let gate = open(place.path + "/gate", O_WRONLY)
        _ = write(gate, "\n", 1)
        close(gate)
    }

    @Test("what the allow-list does not name is not called", arguments: ["other", "https://shop.example/"])
    func notAllowed(address: String) async throws {
        let place = try TemporaryPlace()
        #expect(try await Self.deliver(Self.settings(Self.recorder(place)), to: address) == .notAllowed)
        #expect(place.read("arguments") == nil)
    }
}
