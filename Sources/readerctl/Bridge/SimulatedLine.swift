import Bridge
import FirmwareCores
import Serial
import Transport

/// The line of a simulated reader. Until a simulated reader speaks over a byte stream, it is a line with a loop-back plug:
/// enough to try other software's settings, modem lines and flow.
struct SimulatedLine: LineSource {
    let title = "The simulated reader"
    private let clock: any MonotonicClock

    init(card: String, clock: any MonotonicClock) throws(CommandFailure) {
        guard CardProfile.named(card) != nil else {
            throw CommandFailure(
                .usage, "There is no simulated card '\(card)'. 'readerctl simulate --list' lists them.")
        }
        self.clock = clock
    }

    func open(
        _ settings: SerialSettings, on context: SerialContext, until deadline: Deadline
    ) async throws(TransportError) -> any SerialLine {
        LoopbackLine(settings, clock: clock)
    }
}
