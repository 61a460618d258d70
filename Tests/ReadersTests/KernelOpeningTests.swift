import FirmwareCores
import InProcessMock
import Testing
import Transport

@testable import Readers

/// Opening a reader that misbehaves at each frame of it.
@Suite("QPOS and MPI, opening in trouble")
struct KernelOpeningTests {
    private func bed(_ family: String) throws -> StreamBed {
        family == "qpos" ? try StreamBed.qpos(["card": "visa-credit"]) : try StreamBed.mpi(["card": "visa-credit"])
    }

    private func open(_ family: String, _ bed: StreamBed) async throws -> any KernelReader {
        if family == "qpos" { return try await bed.openQPOS() }
        return try await bed.openMPI()
    }

    @Test(arguments: ["qpos", "mpi"], FrameFault.plain.keys.sorted())
    func `a fault while it is opened has its name, or does no harm`(family: String, fault: String) async throws {
        for place in 1...(family == "qpos" ? 3 : 2) {
            let bed = try bed(family)
            bed.steer("fault \(place) \(fault)")
            let spent = await bed.duration {
                let code = await bed.code { _ = try await open(family, bed) }
                if fault.hasPrefix("unplug") {
                    #expect(code == .gone, "place \(place)")
                } else {
                    #expect([nil, .silent, .linkFailed, .unsupported].contains(code), "place \(place)")
                }
            }
            #expect(spent <= .seconds(10))
            #expect(!bed.hasTransfersInFlight)
            guard !fault.hasPrefix("unplug") else { continue }
            let reader = try await open(family, bed)
            #expect(try await bed.sale(reader).name == "approved", "place \(place)")
        }
    }

    @Test(arguments: ["qpos", "mpi"])
    func `a task that is cancelled already opens nothing`(family: String) async throws {
        let bed = try bed(family)
        let code = await Task { () async -> ReaderError.Code? in
            withUnsafeCurrentTask { $0?.cancel() }
            return await bed.code { _ = try await open(family, bed) }
        }.value
        #expect(code == .cancelled)
        #expect(bed.pieces.isEmpty)
    }

    @Test(arguments: ["qpos", "mpi"])
    func `a device that says nothing is silent in time`(family: String) async throws {
        let bed = StreamBed(Mute())
        let spent = await bed.duration {
            #expect(await bed.code { _ = try await open(family, bed) } == .silent)
        }
        #expect(spent <= .seconds(6))
    }

    final class Mute: SerialFirmware {
        var nextDue: Duration? { nil }
        func receive(_ bytes: [UInt8], at now: Duration) -> [SerialEffect] { [] }
        func advance(to now: Duration) -> [SerialEffect] { [] }
        func powerCycled() {}
        func steer(_ command: String, at now: Duration) -> (complaint: String?, effects: [SerialEffect]) { (nil, []) }
    }
}
