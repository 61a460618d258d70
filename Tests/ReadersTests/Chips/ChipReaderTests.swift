import Discovery
import FirmwareCores
import InProcessMock
import Testing
import Transport

@testable import Readers

/// Readers at serial chips, driven in process: the chip's requests, the reader's frames, and what becomes of both.
@Suite("Readers at serial chips", .timeLimit(.minutes(2)))
struct ChipReaderTests {
    private static func firmware(_ family: ReaderFamily) throws -> any SerialFirmware {
        let options = ["card": "visa-credit"]
        switch family {
        case .neo2: return try NEO2SerialCore.make(options: options)
        case .qpos: return try QPOSFirmware.make(options: options)
        case .mpi, .ccid: return try MPIFirmware.make(options: options)
        }
    }

    private func only(_ source: ChipReaderSource) async throws -> FoundReader {
        let found = try await source.scan()
        #expect(found.count == 1)
        return try #require(found.first)
    }

    private func kernel(_ opened: OpenedReader) throws -> any KernelReader {
        guard case .kernel(let reader) = opened else { throw ReaderError(.unsupported, during: "the test") }
        return reader
    }

    private static let chips: [(any ChipCircuit, ReaderFamily)] = [
        (CP210xCircuit(), .qpos), (CDCACMCircuit(), .qpos), (FTDICircuit(.ft232r), .neo2),
        (FTDICircuit(.ft2232h), .neo2), (CH34xCircuit(), .mpi), (PL2303Circuit(.classic), .mpi),
        (PL2303Circuit(.hxn), .qpos), (CDCACMCircuit(), .mpi),
    ]

    @Test("a sale over each chip, and its line is closed afterwards", arguments: 0..<8)
    func sale(index: Int) async throws {
        let (circuit, family) = Self.chips[index]
        let bench = ChipBench(circuit, try Self.firmware(family))
        let source = bench.source([try ChipBench.named("usb:1-1", family)])
        let found = try await only(source)
        #expect(found.family == family && found.link == .usb && found.node == "/dev/bus/usb/001/001")
        let reader = try kernel(try await source.open(found, until: .soon))
        let isOpen = bench.first?.withCore { ($0 as? USBSerialCore)?.line.isDTR }
        #expect(isOpen == true)
        let payment = StreamBed.payment(interfaces: [.contact])
        let stop = try await reader.start(payment, prompt: { _ in }, cardWait: .soon)
        #expect(stop.reading?.account.lastFour == "0119")
        #expect(try await reader.complete(StreamBed.approval, until: .soon).name == "approved")
        await reader.close()
        let isDTR = bench.first?.withCore { ($0 as? USBSerialCore)?.line.isDTR }
        #expect(isDTR == false)
        await source.close()
    }

    @Test("a reader that leaves while it waits for a card is gone", arguments: [0, 2, 4])
    func gone(index: Int) async throws {
        let (circuit, family) = Self.chips[index]
        let firmware: any SerialFirmware =
            switch family {
            case .neo2: try NEO2SerialCore.make()
            case .qpos: try QPOSFirmware.make()
            case .mpi, .ccid: try MPIFirmware.make()
            }
        let bench = ChipBench(circuit, firmware)
        let source = bench.source([try ChipBench.named("usb:1-1", family)])
        let found = try await only(source)
        let reader = try kernel(try await source.open(found, until: .soon))
        let device = bench.first
        do throws(ReaderError) {
            _ = try await reader.start(
                StreamBed.payment(interfaces: [.contact]), prompt: { _ in _ = device?.steer("unplug") }, cardWait: .soon
            )
            Issue.record("it went on")
        } catch {
            #expect(error.code == .gone)
        }
        await reader.close()
        #expect(try await source.scan().isEmpty)
        await #expect(throws: ReaderError(.gone, during: "")) { try await source.open(found, until: .soon) }
    }

    @Test("the kernel's driver is taken away only when the configuration says so")
    func direct() async throws {
        let bench = ChipBench(CP210xCircuit(), try Self.firmware(.qpos), driver: "cp210x")
        let polite = bench.source([try ChipBench.named("usb:1-1", .qpos)])
        let found = try await only(polite)
        await #expect(throws: ReaderError(.busy, during: "")) { try await polite.open(found, until: .soon) }
        #expect(await polite.holder(of: found) == "kernel driver cp210x")
        let problem = try #require(await polite.inspect(found).kernelDriver)
        #expect(problem.code == .kernelDriver && problem.fix.contains(#""direct": true"#))
        #expect(problem.message == "The kernel driver cp210x has the chip, and there is no serial port of it.")

        let direct = bench.source([try ChipBench.named("usb:1-1", .qpos, isDirect: true)])
        let reader = try kernel(try await direct.open(try await only(direct), until: .soon))
        await reader.close()
        #expect(await direct.holder(of: found) == nil)
        #expect(await direct.inspect(found).kernelDriver == nil)
        #expect(bench.takings == [false, true])
    }

    @Test("a probe tells of a kernel driver what the source knows, and of programs that they hold the reader")
    func held() async throws {
        let known = ReaderProblem(.kernelDriver, message: "It has the chip.", fix: "Take it away.")
        for (holder, expected) in [
            ("kernel driver cp210x", known), ("pcscd (process 1)", .held(by: "pcscd (process 1)")),
        ] {
            let source = StubSource(
                opens: .failure(.busy), inspection: ReaderInspection(kernelDriver: known), heldBy: holder)
            let report = try #require(try await ReaderProbe(source: source, clock: VirtualClock()).run().first)
            #expect(report.state == .busy && report.problems == [expected])
        }
    }

    @Test("that the tty of a chip goes and comes with its use is no change; that of another one is")
    func changes() async throws {
        let direct = [try ChipBench.named("usb:10c4:ea60", .qpos, isDirect: true)]
        let plain = [try ChipBench.named("usb:10c4:ea60", .qpos)]
        let tty = ChipBench.tty("ttyUSB0", at: "1-1")
        for event: TTYEvent in [.arrived(tty), .departed(tty)] {
            #expect(!TTYReaderSource.isChange(event, named: direct))
            #expect(TTYReaderSource.isChange(event, named: plain))
            #expect(TTYReaderSource.isChange(event, named: [try ChipBench.named("usb:1-2", .qpos, isDirect: true)]))
        }
        let (events, feed) = AsyncStream.makeStream(of: Int.self)
        var counted = AsyncStream<Void>(after: events) { $0 > 1 }.makeAsyncIterator()
        feed.yield(2)
        #expect(await counted.next(isolation: nil) != nil)
        feed.yield(1)
        feed.finish()
        #expect(await counted.next(isolation: nil) == nil)
    }

    @Test("what the line is: chip, nodes, driver, speed")
    func facts() async throws {
        let bench = ChipBench(PL2303Circuit(.hxn), try Self.firmware(.qpos), driver: "pl2303")
        let found = try await only(bench.source([try ChipBench.named("usb:1-1", .qpos, baud: .b57600)]))
        // The node is none of this machine's.
        let expected = SerialLineFacts(
            chip: "Prolific PL2303HXN", kernelDriver: "pl2303", usbNode: "/dev/bus/usb/001/001", baud: .b57600,
            access: found.line?.access)
        #expect(found.line == expected)
        #expect(try ReaderChoice.choose("/dev/bus/usb/001/001", from: [found]) == found)
    }

    @Test("a chip is there beside other readers, and opened by its own source")
    func together() async throws {
        let bench = ChipBench(CP210xCircuit(), try Self.firmware(.qpos))
        let chips = bench.source([try ChipBench.named("usb:1-1", .qpos)])
        let usb = StubSource()
        let all = AllReadersSource(usb: usb, chips: chips, ttys: StubSource(readers: []))
        let found = try await all.scan()
        #expect(found.map(\.id) == ["stub:1", "usb:10c4:ea60:0001"])
        let reader = try kernel(try await all.open(found[1], until: .soon))
        await reader.close()
        await all.close()
    }
}
