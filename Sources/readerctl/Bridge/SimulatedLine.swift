import Bridge
import FirmwareCores
import InProcessMock
import Serial
import Transport

/// The line of a simulated reader: the firmware that the mock hardware uses, or a loop-back plug.
struct SimulatedLine: LineSource {
    /// `--simulate-reader` of `bridge`: the families that speak over a byte stream.
    enum Family: String, CaseIterable, Sendable {
        case neo2, qpos, mpi
        /// What is sent comes back, RTS shows as CTS, DTR as DSR and DCD.
        case loopback = "loop-back"
    }

    let title: String
    /// Nil of a loop-back plug.
    private let device: InProcessDevice?
    private let clock: any MonotonicClock

    init(card: String, family: Family, clock: any MonotonicClock) throws(CommandFailure) {
        guard CardProfile.named(card) != nil else {
            throw CommandFailure(
                .usage, "There is no simulated card '\(card)'. 'readerctl simulate --list' lists them.")
        }
        title = "The simulated reader (\(family.rawValue))"
        self.clock = clock
        let options = ["card": card]
        do throws(CoreOptionError) {
            switch family {
            case .neo2: device = InProcessDevice(serial: try NEO2SerialCore.make(options: options), clock: clock)
            case .qpos: device = InProcessDevice(serial: try QPOSFirmware.make(options: options), clock: clock)
            case .mpi: device = InProcessDevice(serial: try MPIFirmware.make(options: options), clock: clock)
            case .loopback: device = nil
            }
        } catch {
            throw CommandFailure(.internalError, "The simulated reader cannot be made: \(error)")
        }
    }

    func open(
        _ settings: SerialSettings, on context: SerialContext, until deadline: Deadline
    ) async throws(TransportError) -> any SerialLine {
        guard let device else { return LoopbackLine(settings, clock: clock) }
        return StreamLine(device.openStream(), settings)
    }
}
