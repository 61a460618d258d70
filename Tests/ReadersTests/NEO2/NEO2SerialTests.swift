import EMV
import FirmwareCores
import InProcessMock
import Serial
import Testing
import Transport

@testable import Readers

/// The same firmware and the same driver with a real terminal of the kernel between them.
@Suite(.timeLimit(.minutes(2)))
struct NEO2SerialTests {
    private let clock = SystemMonotonicClock.shared

    private func soon(_ seconds: Int = 60) -> Deadline { .after(.seconds(seconds), on: clock) }

    @Test("a payment over a serial line, and the hang-up of the line")
    func payment() async throws {
        let context = SerialContext()
        let far = try context.makeTerminal()
        let host = SerialFirmwareHost(try NEO2SerialCore.make(options: ["chatty": "yes"]), over: far)
        let port = try await context.open(far.node, SerialSettings(baud: .b115200), until: soon())
        let reader = try await NEO2Reader.open(port, form: .stream, model: "Mock", clock: clock, until: soon())
        #expect(reader.identity.serialNumber == "310T061040")
        // The bytes of one answer come one by one, those of another in two pieces.
        for fault in ["1 split 1", "2 split-at 100"] { #expect(host.steer("fault \(fault)") == nil) }
        #expect(host.steer("insert visa-credit") == nil)
        let stop = try await reader.start(NEO2Bed.payment([.contact]), prompt: { _ in }, cardWait: soon())
        #expect(name(stop) == "online contactChip")
        let last = try await reader.complete(hostApproval, until: soon())
        #expect(name(last) == "approved contactChip")
        await host.close()
        await #expect(throws: ReaderError(.gone, during: "")) {
            _ = try await reader.start(NEO2Bed.payment([.contact]), prompt: { _ in }, cardWait: soon())
        }
        await reader.close()
        await context.shutdown()
    }

    @Test("a card that is tapped while the reader waits, and nobody at all")
    func waiting() async throws {
        let context = SerialContext()
        let far = try context.makeTerminal()
        let host = SerialFirmwareHost(try NEO2SerialCore.make(), over: far)
        let port = try await context.open(far.node, SerialSettings(baud: .b9600), until: soon())
        let reader = try await NEO2Reader.open(port, form: .stream, model: "Mock", clock: clock, until: soon())
        await #expect(throws: ReaderError(.cardNotInserted, during: "")) {
            _ = try await reader.start(NEO2Bed.payment([.contactless]), prompt: { _ in }, cardWait: soon(1))
        }
        let stop = try await reader.start(
            NEO2Bed.payment([.contactless]),
            prompt: { prompt in if prompt == .tapCard { #expect(host.steer("tap visa-credit") == nil) } },
            cardWait: soon())
        #expect(name(stop) == "online contactlessChip")
        await reader.close()
        await host.close()
        await context.shutdown()
    }
}
