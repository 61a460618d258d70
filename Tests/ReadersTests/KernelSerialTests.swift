import EMV
import FirmwareCores
import InProcessMock
import Serial
import Testing
import Transport

@testable import Readers

/// QPOS and MPI with a real terminal of the kernel between firmware and driver.
@Suite("QPOS and MPI on a terminal of the kernel", .timeLimit(.minutes(2)))
struct KernelSerialTests {
    private let clock = SystemMonotonicClock.shared

    private func soon(_ seconds: Int = 60) -> Deadline { .after(.seconds(seconds), on: clock) }

    @Test(arguments: ["qpos", "mpi"])
    func `a payment over a serial line, and the hang-up of the line`(family: String) async throws {
        let context = SerialContext()
        let far = try context.makeTerminal()
        let options = ["card": "visa-credit", "part": "100"]
        let host =
            family == "qpos"
            ? SerialFirmwareHost(try QPOSFirmware.make(options: options), over: far)
            : SerialFirmwareHost(try MPIFirmware.make(options: options), over: far)
        let port = try await context.open(far.node, SerialSettings(baud: .b115200), until: soon())
        let reader: any KernelReader =
            family == "qpos"
            ? try await QPOSReader.open(port, model: "Mock", clock: clock, until: soon())
            : try await MPIReader.open(port, form: .serial, model: "Mock", clock: clock, until: soon())
        let stop = try await reader.start(
            StreamBed.payment(interfaces: [.contact]), prompt: { _ in }, cardWait: soon())
        #expect(stop.name == "online, contactChip")
        #expect(try await reader.complete(StreamBed.approval, until: soon()).name == "approved")
        await host.close()
        await #expect(throws: ReaderError(.gone, during: "")) {
            _ = try await reader.start(StreamBed.payment, prompt: { _ in }, cardWait: soon())
        }
        await reader.close()
        await context.shutdown()
    }
}
