import Crypto
import EMV
import FoundationEssentials
import Glibc
import Testing

@testable import Configuration

@Suite final class ReferencedFileTests {
    private let directory = "/tmp/configuration-\(UInt64.random(in: 0 ... .max))"

    init() throws {
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: directory)
    }

    private func write(_ name: String, _ text: String, mode: mode_t = 0o600) throws -> String {
        let path = "\(directory)/\(name)"
        try Data(text.utf8).write(to: URL(filePath: path))
        chmod(path, mode)
        return path
    }

    private func token(_ path: String) throws -> SecretBytes? {
        try configuration(#"{"userToken":{"userTokenFile":"\#(path)"}}"#).userTokenSecret()
    }

    private func reason(_ path: String) throws -> String {
        try #require(throws: ConfigurationProblem.self) { try self.token(path) }.description
    }

    @Test("the user token is the line of its file", arguments: ["t0ken", "t0ken\n", "t0ken\r\n"])
    func userToken(text: String) throws {
        let secret = try #require(try token(write("token", text, mode: 0o640)))
        #expect(secret == SecretBytes(Array("t0ken".utf8)))
        #expect(!"\(secret)".contains("t0ken"))
    }

    @Test("without a file there is no user token")
    func noToken() throws {
        #expect(try KioskConfiguration().userTokenSecret() == nil)
    }

    @Test("a token file that others can reach is refused", arguments: [0o644, 0o604, 0o602, 0o601] as [mode_t])
    func openToOthers(mode: mode_t) throws {
        let path = try write("token", "t0ken", mode: mode)
        #expect(
            try reason(path)
                == "userToken.userTokenFile: a file that others cannot reach is expected (chmod 640 or less), its mode is "
                + "0\(String(mode, radix: 8))")
    }

    @Test("a token file that is no token is refused, without its content")
    func noTokenFile() throws {
        let field = "userToken.userTokenFile: "
        #expect(try reason("\(directory)/none") == field + "the file cannot be read: No such file or directory")
        #expect(try reason(directory) == field + "a regular file is expected, another was given")
        #expect(try reason("/dev/null") == field + "a regular file is expected, another was given")
        let pipe = "\(directory)/pipe"
        try #require(mkfifo(pipe, 0o600) == 0)
        #expect(try reason(pipe) == field + "a regular file is expected, another was given")
        #expect(try reason(write("a", "\n")) == field + "a file with a text is expected, an empty one was given")
        #expect(
            try reason(write("b", "s3cret\ns3cret"))
                == field + "a file with one line is expected, one with control characters was given")
        #expect(
            try reason(write("c", String(repeating: "s", count: 4097)))
                == field + "at most 4096 bytes are expected, the file has more")
    }

    @Test("the key file is opened when the keys are asked for, and revoked certificates are added to its own")
    func keyFile() throws {
        let revoked = #"{"provider":"A000000003","index":"94","serial":"03DA0A"}"#
        let path = try write("keys", #"{"keys":[],"revoked":[\#(revoked)]}"#)
        func keys(_ file: String, _ more: String) throws -> Int {
            try configuration(
                #"{"terminal":{"certificationAuthorityKeys":"\#(file)","revokedCertificates":[\#(more)]}}"#
            ).certificationAuthorityKeys().revoked.count
        }
        #expect(try keys(path, "") == 1)
        #expect(try keys(path, revoked) == 1)
        #expect(try keys(path, revoked.replacing("0A", with: "0B")) == 2)
        #expect(try KioskConfiguration().certificationAuthorityKeys().count > 2)
        let broken = try write("broken", #"{"keys":[{"provider":"A0"}]}"#)
        let problem = try #require(throws: ConfigurationProblem.self) { try keys(broken, "") }
        #expect(
            problem.description
                == "terminal.certificationAuthorityKeys: the key file is not as it should be: keys[0].index is missing")
        let missing = try #require(throws: ConfigurationProblem.self) { try keys("\(self.directory)/none", "") }
        #expect(
            missing.description
                == "terminal.certificationAuthorityKeys: the file cannot be read: No such file or directory")
    }

    @Test("a configuration is read from its path; one that cannot be read is told in the system's words")
    func load() throws {
        let path = try write("kiosk.json", #"{"merchantName":"Cinco & Diez"}"#, mode: 0o644)
        #expect(try KioskConfiguration.load(path).merchant.name == "Cinco & Diez")
        func reason(_ path: String) throws -> [String] {
            try #require(throws: ConfigurationError.self) { try KioskConfiguration.load(path) }.lines
        }
        #expect(try reason("\(directory)/none") == ["the file cannot be read: No such file or directory"])
        #expect(
            try reason(write("long", String(repeating: " ", count: 1_048_577))) == [
                "at most 1048576 bytes are expected, the file has more"
            ])
    }

    @Test("what is no regular file is refused at once, also a pipe into which nobody writes")
    func noRegularFile() throws {
        let pipe = "\(directory)/pipe"
        try #require(mkfifo(pipe, 0o600) == 0)
        for path in [pipe, directory, "/dev/zero", "/dev/null"] {
            let error = try #require(throws: ConfigurationError.self) { try KioskConfiguration.load(path) }
            #expect(error.lines == ["a regular file is expected, another was given"])
            let problem = try #require(throws: ConfigurationProblem.self) {
                try configuration(#"{"terminal":{"certificationAuthorityKeys":"\#(path)"}}"#)
                    .certificationAuthorityKeys()
            }
            #expect(
                problem.description
                    == "terminal.certificationAuthorityKeys: a regular file is expected, another was given")
        }
    }

    @Test("the key of stored payments is 64 hex digits in a file that others cannot reach")
    func offlineKey() throws {
        func key(_ path: String) throws -> SecretBytes? {
            try configuration(#"{"offline":{"keyFile":"\#(path)"}}"#).offlineKey()
        }
        func reason(_ path: String) throws -> String {
            try #require(throws: ConfigurationProblem.self) { try key(path) }.description
        }
        #expect(try KioskConfiguration().offlineKey() == nil)
        let digits = String(repeating: "0aF5", count: 16)
        let bytes = (0..<16).flatMap { _ in [0x0A, 0xF5] as [UInt8] }
        #expect(try key(write("right", digits + "\n")) == SecretBytes(bytes))
        let wrong = "offline.keyFile: a file with 64 hex digits is expected, one with another text was given"
        for (name, text) in [("short", String(digits.dropLast())), ("long", digits + "0"), ("words", "x" + digits)] {
            #expect(try reason(write(name, text)) == wrong)
        }
        #expect(try reason("\(directory)/none").hasPrefix("offline.keyFile: the file cannot be read: "))
        #expect(
            try reason(write("open", digits, mode: 0o644))
                == "offline.keyFile: a file that others cannot reach is expected (chmod 640 or less), its mode is 0644")
    }

    @Test("a kiosk that approves offline needs a terminal that may decide offline")
    func offlineTerminal() throws {
        func problems(_ type: String, _ isEnabled: Bool = true) throws -> [String] {
            try configuration(
                #"{"terminal":{"type":"\#(type)"},"offline":{"enabled":\#(isEnabled),"perSale":"1.00","total":"1.00","#
                    + #""count":1,"keyFile":"/k"}}"#
            ).problemsOffline.map(\.description)
        }
        #expect(try problems("25").isEmpty && problems("22").isEmpty && problems("24", false).isEmpty)
        #expect(
            try problems("24") == [
                "terminal.type: \"25\" (or \"22\") is expected of a kiosk that approves offline (offline.enabled), "
                    + "\"24\" was given"
            ])
        #expect(try problems("26").count == 1)
    }

    @Test("a check tells what is wrong in files that are named, what is missing, and what is only for trying")
    func findings() throws {
        let token = try write("token", "t0ken")
        let ready = """
            {"merchantName":"A","merchantId":"B","merchantCategoryCode":"5814","terminalId":"T0000001",
             "userToken":{"userTokenFile":"\(token)","expires":"2027-01-01T00:00:00Z"},"replySchemes":["a"]}
            """
        func findings(_ json: String, now: Int64 = 1_798_761_599) throws -> [String] {
            let path = try write("kiosk.json", json)
            return KioskConfiguration.findings(path, now: now).map { "\($0.severity) \($0.problem.path)" }
        }
        let notes = ["note gateway", "note terminal.certificationAuthorityKeys"]
        #expect(try findings(ready) == notes)
        #expect(try findings(ready, now: 1_798_761_600) == ["wrong userToken.expires"] + notes)
        let names = [
            "merchantName", "merchantId", "merchantCategoryCode", "terminalId", "userToken.userTokenFile",
            "replySchemes",
        ]
        #expect(try findings("{}") == names.map { "missing \($0)" } + notes)
        #expect(
            try findings(
                ready.replacing(
                    "{\"merchantName\"", with: #"{"terminal":{"country":"840","currency":"USD"},"merchantName""#))
                == ["wrong terminal.country", "wrong terminal.currency"] + notes)
        chmod(token, 0o644)
        #expect(try findings(ready) == ["wrong userToken.userTokenFile"] + notes)
        #expect(try findings(#"{"merchantId":1,"colour":2}"#) == ["wrong merchantId", "wrong colour"])
    }
}
