import Readers
import Testing
import Transport

/// Choosing one reader, and saying what is wrong with each.
struct ReaderFindingTests {
    private static let first = FoundReader(
        id: "08e6:3437:C0001", family: .ccid, model: "One", link: .usb, port: "usb:1-1", node: "/dev/bus/usb/001/002")
    private static let second = FoundReader(
        id: "08e6:3437:C0002", family: .ccid, model: "Two", link: .usb, port: "usb:1-2", node: "/dev/bus/usb/001/003")

    private func failure(_ id: String?, _ present: [FoundReader]) -> ReaderChoice.Failure? {
        do throws(ReaderChoice.Failure) {
            _ = try ReaderChoice.choose(id, from: present)
            return nil
        } catch {
            return error
        }
    }

    @Test func `the only reader needs no name`() throws {
        #expect(try ReaderChoice.choose(nil, from: [Self.first]) == Self.first)
    }

    @Test(arguments: ["08e6:3437:C0002", "usb:1-2", "/dev/bus/usb/001/003"])
    func `a reader is named by its id, its port or its node`(name: String) throws {
        #expect(try ReaderChoice.choose(name, from: [Self.first, Self.second]) == Self.second)
    }

    @Test func `a choice that cannot be made says what there is`() {
        #expect(failure(nil, []) == ReaderChoice.Failure.none)
        #expect(failure(nil, [Self.first, Self.second]) == .several([Self.first.id, Self.second.id]))
        #expect(failure("usb:9-9", [Self.first]) == .noSuch("usb:9-9", present: [Self.first.id]))
        #expect(failure(nil, [Self.first, Self.second])?.sentence.contains(Self.second.id) == true)
        #expect(failure("x", [])?.sentence == "There is no reader 'x'. Present: none.")
    }

    @Test func `no reader makes an empty report`() async throws {
        #expect(try await probe(StubSource(readers: [])).isEmpty)
    }

    @Test func `a ready reader tells its card and is closed again`() async throws {
        let reader = StubReader(.success(.present))
        let source = StubSource(opens: .success(reader), heldBy: "nobody must ask")
        let report = try #require(try await probe(source).first)
        #expect(report.state == .ready)
        #expect(report.heldBy == nil)
        #expect(report.card == .present)
        #expect(report.problems.isEmpty)
        #expect(reader.closings == 1)
    }

    @Test func `a held reader names its holder and how to free it`() async throws {
        let source = StubSource(opens: .failure(.busy), heldBy: "pcscd (pid 812)")
        let report = try #require(try await probe(source).first)
        #expect(report.state == .busy)
        #expect(report.heldBy == "pcscd (pid 812)")
        #expect(report.problems.map(\.code) == [.held])
        #expect(report.problems.first?.message == "The reader is held by pcscd (pid 812).")
        #expect(report.problems.first?.fix.contains("systemctl stop pcscd.socket pcscd.service") == true)
    }

    @Test func `a reader held by another program is not blamed on pcscd`() async throws {
        let report = try #require(try await probe(StubSource(opens: .failure(.busy))).first)
        #expect(
            report.problems.first?.fix
                == "Wait until a running payment has ended, or stop the program that holds the reader.")
    }

    @Test func `a kernel driver and ModemManager are told from other holders`() async throws {
        for (holder, code, fix) in [
            ("kernel driver cdc_acm", ReaderProblem.Code.kernelDriver, "modprobe -r cdc_acm'"),
            ("ModemManager (process 7)", .modemManager, "systemctl stop ModemManager"),
        ] {
            let report = try #require(try await probe(StubSource(opens: .failure(.busy), heldBy: holder)).first)
            #expect(report.state == .busy && report.problems.map(\.code) == [code])
            #expect(report.problems.first?.fix.contains(fix) == true)
        }
    }

    @Test func `silence that is explained is told as what it is`() async throws {
        for (code, state) in [
            (ReaderProblem.Code.wrongSpeed, ReaderReport.State.fault), (.unknownDevice, .unsupported),
        ] {
            let problem = ReaderProblem(code, message: "It is so.", fix: "Do this.")
            let report = try #require(
                try await probe(StubSource(opens: .failure(.silent), silence: problem)).first)
            #expect(report.state == state && report.problems == [problem])
        }
    }

    @Test func `a device that is on USB and on a serial port is there once`() async throws {
        let port = FoundReader(
            id: "tty:1", family: .neo2, model: "Port", link: .tty, port: "usb:1-1", node: "/dev/ttyACM0")
        let other = FoundReader(id: "tty:2", family: .qpos, model: "Other", link: .tty, node: "/dev/ttyS0")
        func ids(_ problems: [ReaderProblem], _ ttys: [FoundReader]) async throws -> [String] {
            let usb = StubSource(readers: [Self.first], inspection: ReaderInspection(problems: problems))
            return try await AllReadersSource(usb: usb, ttys: StubSource(readers: ttys)).scan().map(\.id)
        }
        #expect(try await ids([], [port, other]) == [Self.first.id, "tty:2"])
        // What cannot be driven over USB is left to its serial port, unless nobody knows what is behind that.
        let undrivable = ReaderProblem(.unsupported, message: "No.", fix: "None.")
        #expect(try await ids([undrivable], [port, other]) == ["tty:1", "tty:2"])
        var unknown = port
        unknown.family = nil
        #expect(try await ids([undrivable], [unknown]) == [Self.first.id])
    }

    @Test func `a denied reader gets the finding of the inspection`() async throws {
        let denial = ReaderProblem(.accessDenied, message: "Access to /dev/x is denied.", fix: "sudo usermod")
        let source = StubSource(opens: .failure(.accessDenied), inspection: ReaderInspection(denial: denial))
        let report = try #require(try await probe(source).first)
        #expect(report.state == .denied)
        #expect(report.problems == [denial])
        let without = try #require(try await probe(StubSource(opens: .failure(.accessDenied))).first)
        #expect(without.problems.first?.fix.contains("60-readerkit.rules") == true)
    }

    @Test func `a silent reader is a fault and is closed again`() async throws {
        let reader = StubReader(.failure(.silent))
        let report = try #require(try await probe(StubSource(opens: .success(reader))).first)
        #expect(report.state == .fault)
        #expect(report.problems.map(\.code) == [.silent])
        #expect(report.card == .unknown)
        #expect(reader.closings == 1)
    }

    @Test func `an unsupported reader is not opened`() async throws {
        let problem = ReaderProblem(.unsupported, message: "Character level only.", fix: "Use another reader.")
        let reader = StubReader(.success(.present))
        let source = StubSource(opens: .success(reader), inspection: ReaderInspection(problems: [problem]))
        let report = try #require(try await probe(source).first)
        #expect(report.state == .unsupported)
        #expect(report.problems == [problem])
        #expect(reader.closings == 0)
        let late = try #require(try await probe(StubSource(opens: .failure(.unsupported))).first)
        #expect(late.state == .unsupported)
    }

    private func probe(_ source: StubSource) async throws -> [ReaderReport] {
        try await ReaderProbe(source: source, clock: VirtualClock()).run()
    }
}
