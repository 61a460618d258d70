import EMV
import ReaderWire
import Testing
import Transport

@testable import Readers

/// Given bytes, expected bytes (layouts: CCID 1.1, 6.1 and 6.2).
struct CCIDScriptTests {
    private let clock = VirtualClock()

    private static let askStatus = ScriptedTransport.Step.expect(bytes("65 00000000 00 00 000000"))
    private static let inactive = ScriptedTransport.Step.give(bytes("81 00000000 00 00 01 00 00"))
    private static let opening = [askStatus, inactive]
    /// 3B 64 00 00: T=0 with TB1 and TC1 as EMV has them, four historical bytes.
    private static let powerOnAutomatic: [ScriptedTransport.Step] = [
        .expect(bytes("62 00000000 00 01 00 0000")),
        .give(bytes("80 08000000 00 01 00 00 00 3B64000054455354")),
    ]

    /// - Parameter features: dwFeatures.
    private func descriptor(features: String, maximumMessage: String = "0F010000") throws -> CCIDClassDescriptor {
        let text =
            "36 21 1001 00 07 03000000 A00F0000 A00F0000 00 80250000 80250000 00 FE000000 00000000 00000000"
            + features + maximumMessage + "FFFF 0000 00 01"
        return try #require(CCIDClassDescriptor(parsing: bytes(text)))
    }

    /// Opens, powers on and sends `command`; answers what came, or the error's code.
    private func run(
        _ steps: [ScriptedTransport.Step], features: String = "FE040400", maximumMessage: String = "0F010000",
        command: CommandAPDU? = nil, limit: Duration = .seconds(30)
    ) async throws -> (answer: [UInt8]?, code: ReaderError.Code?) {
        let transport = ScriptedTransport(steps, clock: clock)
        let reader = try await CCIDReader.open(
            transport, descriptor: try descriptor(features: features, maximumMessage: maximumMessage),
            interfaceNumber: 2, model: "Script", clock: clock, until: .after(limit, on: clock))
        defer {
            #expect(transport.mismatch == nil)
            #expect(transport.remainingSteps == 0)
        }
        do throws(ReaderError) {
            let reset = try await reader.powerOnCard(until: .after(limit, on: clock))
            guard let command else { return (reset, nil) }
            return (try await reader.transmit(command, until: .after(limit, on: clock)).bytes, nil)
        } catch {
            return (nil, error.code)
        }
    }

    @Test func `power on at APDU level`() async throws {
        let ended = try await run(Self.opening + Self.powerOnAutomatic)
        #expect(ended.answer == bytes("3B64000054455354"))
    }

    @Test func `power on and SetParameters at TPDU level, T=0`() async throws {
        let ended = try await run(
            Self.opening + [
                .expect(bytes("62 00000000 00 01 01 0000")),
                .give(bytes("80 08000000 00 01 00 00 00 3B64000054455354")),
                .expect(bytes("61 05000000 00 02 00 0000 11 00 00 0A 00")),
                .give(bytes("82 05000000 00 02 00 00 00 11 00 00 0A 00")),
            ], features: "30000100")
        #expect(ended.code == nil)
    }

    @Test func `power on, SetParameters and IFS at TPDU level, T=1`() async throws {
        // 3B E4 00 00 81 31 FE 45: T=1, IFSC 254, BWI 4, CWI 5; TCK makes the exclusive-or zero.
        let body = bytes("E4 00 00 81 31 FE 45 54455354")
        let reset = [0x3B] + body + [body.reduce(0, ^)]
        let ended = try await run(
            Self.opening + [
                .expect(bytes("62 00000000 00 01 01 0000")),
                .give(bytes("80 0D000000 00 01 00 00 00") + reset),
                .expect(bytes("61 07000000 00 02 01 0000 11 10 00 45 00 FE 00")),
                .give(bytes("82 07000000 00 02 00 00 01 11 10 00 45 00 FE 00")),
                .expect(bytes("6F 05000000 00 03 00 0000 00 C1 01 FE 3E")),
                .give(bytes("80 05000000 00 03 00 00 00 00 E1 01 FE 1E")),
            ], features: "30000100")
        #expect(ended.answer == reset)
    }

    @Test func `a SELECT goes out in one XfrBlock`() async throws {
        let ended = try await run(
            Self.opening + Self.powerOnAutomatic + [
                .expect(
                    bytes("6F 14000000 00 02 00 0000 00 A4 04 00 0E 315041592E5359532E4444463031 00")),
                .give(bytes("80 02000000 00 02 00 00 00 9000")),
            ], command: selectPSE)
        #expect(ended.answer == [0x90, 0x00])
    }

    @Test func `a time extension means to wait on`() async throws {
        let ended = try await run(
            Self.opening + Self.powerOnAutomatic + [
                .expect(bytes("6F 05000000 00 02 00 0000 00B2010C00")),
                .give(bytes("80 00000000 00 02 80 01 00")),
                .give(bytes("80 00000000 00 02 80 04 00")),
                .give(bytes("80 02000000 00 02 00 00 00 6A83")),
            ], command: CommandAPDU(cla: 0, ins: 0xB2, p1: 1, p2: 0x0C, expectedLength: 256))
        #expect(ended.answer == [0x6A, 0x83])
    }

    @Test func `extended level puts a long answer together`() async throws {
        let ended = try await run(
            Self.opening + Self.powerOnAutomatic + [
                .expect(bytes("6F 05000000 00 02 00 0000 00B2010C00")),
                .give(bytes("80 03000000 00 02 00 00 01 700455")),
                .expect(bytes("6F 00000000 00 03 00 1000")),
                .give(bytes("80 02000000 00 03 00 00 03 0102")),
                .expect(bytes("6F 00000000 00 04 00 1000")),
                .give(bytes("80 02000000 00 04 00 00 02 9000")),
            ], command: CommandAPDU(cla: 0, ins: 0xB2, p1: 1, p2: 0x0C, expectedLength: 256))
        #expect(ended.answer == bytes("7004550102 9000"))
    }

    @Test func `extended level sends a long command in parts`() async throws {
        // dwMaxCCIDMessageLength 18: eight bytes of data a message.
        let ended = try await run(
            Self.opening + [
                .expect(bytes("62 00000000 00 01 00 0000")),
                .give(bytes("80 08000000 00 01 00 00 00 3B64000054455354")),
                .expect(bytes("6F 08000000 00 02 00 0100 00A404000E315041")),
                .give(bytes("80 00000000 00 02 00 00 10")),
                .expect(bytes("6F 08000000 00 03 00 0300 592E5359532E4444")),
                .give(bytes("80 00000000 00 03 00 00 10")),
                .expect(bytes("6F 04000000 00 04 00 0200 46303100")),
                .give(bytes("80 02000000 00 04 00 00 00 9000")),
            ], maximumMessage: "12000000", command: selectPSE)
        #expect(ended.answer == [0x90, 0x00])
    }

    @Test func `silence is ended by ABORT on both pipes with the same sequence number`() async throws {
        let ended = try await run(
            Self.opening + Self.powerOnAutomatic + [
                .expect(bytes("6F 05000000 00 02 00 0000 00B2010C00")),
                .timeOut(partial: []),
                .control(
                    ControlRequest(requestType: 0x21, request: 0x01, value: 0x0200, index: 2), reply: []),
                .expect(bytes("72 00000000 00 02 00 0000")),
                .give(bytes("81 00000000 00 02 00 00 00")),
            ], command: CommandAPDU(cla: 0, ins: 0xB2, p1: 1, p2: 0x0C, expectedLength: 256))
        #expect(ended.code == .silent)
    }

    @Test func `a reader without the class request is aborted by the bulk message`() async throws {
        let ended = try await run(
            Self.opening + Self.powerOnAutomatic + [
                .expect(bytes("6F 05000000 00 02 00 0000 00B2010C00")),
                .timeOut(partial: []),
                .controlThenFail(
                    ControlRequest(requestType: 0x21, request: 0x01, value: 0x0200, index: 2),
                    TransportError(.stalled, during: "control")),
                .expect(bytes("72 00000000 00 02 00 0000")),
                .give(bytes("80 02000000 00 02 00 00 00 9000")),
                .give(bytes("81 00000000 00 02 00 00 00")),
            ], command: CommandAPDU(cla: 0, ins: 0xB2, p1: 1, p2: 0x0C, expectedLength: 256))
        #expect(ended.code == .silent)
    }

    @Test func `an answer that comes after an ABORT nobody understood is dropped`() async throws {
        let transport = ScriptedTransport(
            Self.opening + [
                .expect(bytes("65 00000000 00 01 000000")),
                .timeOut(partial: []),
                .controlThenFail(
                    ControlRequest(requestType: 0x21, request: 0x01, value: 0x0100, index: 2),
                    TransportError(.stalled, during: "control")),
                .expect(bytes("72 00000000 00 01 000000")),
                .expect(bytes("65 00000000 00 02 000000")),
                .give(bytes("81 00000000 00 01 02 00 00")),
                .give(bytes("81 00000000 00 02 01 00 00")),
            ], clock: clock)
        let reader = try await CCIDReader.open(
            transport, descriptor: try descriptor(features: "FE040400"), interfaceNumber: 2, model: "Script",
            clock: clock, until: .after(.seconds(9), on: clock))
        await #expect(throws: ReaderError(.silent, during: "")) {
            try await reader.cardPresence(until: .after(.seconds(9), on: clock))
        }
        #expect(try await reader.cardPresence(until: .after(.seconds(9), on: clock)) == .present)
        #expect(transport.mismatch == nil)
        #expect(transport.remainingSteps == 0)
    }

    @Test func `a stale answer may share the transfer of the longest one`() async throws {
        let record = [UInt8](repeating: 0x20, count: 259) + [0x90, 0x00]
        let ended = try await run(
            Self.opening + Self.powerOnAutomatic + [
                .expect(bytes("6F 05000000 00 02 00 0000 00B2010C00")),
                .give(bytes("80 02000000 00 01 00 00 00 9000") + bytes("80 05010000 00 02 00 00 00") + record),
            ], command: CommandAPDU(cla: 0, ins: 0xB2, p1: 1, p2: 0x0C, expectedLength: 256))
        #expect(ended.answer == record)
    }

    @Test func `a halted pipe is cleared`() async throws {
        let ended = try await run(
            Self.opening + [
                .expect(bytes("62 00000000 00 01 00 0000")),
                .fail(TransportError(.stalled, during: "receive")),
                .clearStall(.receive), .clearStall(.send),
            ])
        #expect(ended.code == .protocolViolation)
    }

    @Test(arguments: [(10, ReaderError.Code?.none), (11, .protocolViolation)])
    func `up to ten stale answers are dropped`(count: Int, code: ReaderError.Code?) async throws {
        let stale = (0..<count).map { _ in ScriptedTransport.Step.give(bytes("81 00000000 00 F0 01 00 00")) }
        let answer =
            count > 10 ? [] : [ScriptedTransport.Step.give(bytes("80 08000000 00 01 00 00 00 3B64000054455354"))]
        let ended = try await run(Self.opening + [.expect(bytes("62 00000000 00 01 00 0000"))] + stale + answer)
        #expect(ended.code == code)
    }

    @Test(arguments: [
        ("80 00000000 00 01 40 FB 00", ReaderError.Code.hardwareFault),
        ("80 00000000 00 01 41 FE 00", .cardMute),
        ("80 00000000 00 01 42 FE 00", .cardRemoved),
        ("80 00000000 00 01 40 F6 00", .cardUnusable),
        ("80 00000000 00 01 40 E0 00", .busy),
        ("80 00000000 00 01 40 FC 00", .linkFailed),
        ("80 00000000 00 01 40 07 00", .protocolViolation),
        ("81 00000000 00 01 00 00 00", .protocolViolation),
        ("80 02000000 00 01 00 00 00 4142", .cardUnusable),
        ("80 00000000 00 01 00 00 00", .cardUnusable),
    ])
    func `a failed power on is named by its bError`(answer: String, code: ReaderError.Code) async throws {
        let ended = try await run(
            Self.opening + [.expect(bytes("62 00000000 00 01 00 0000")), .give(bytes(answer))])
        #expect(ended.code == code)
    }
}
