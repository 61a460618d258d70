/// A serial line: a byte pipe with settings, modem lines and break. A tty of the kernel and a USB-serial chip that is
/// driven over libusb both are one.
///
/// Beside the promises of `Transport`:
/// - `receive` returns as soon as a byte is there. A message may come in any number of parts.
/// - `send` returns when the line has taken all bytes; `drain` waits until they are out.
/// - What the line cannot do (a pseudo terminal has no modem lines) is `.unsupported`, never `.failed`.
/// - These calls may be made while a receive or a send waits. One that has reached the kernel or the chip cannot be taken
///   back: a cancel then waits for its end, which the driver bounds.
public protocol SerialLine: Transport {
    /// Sets everything, and tells what the line has kept, read back: a pseudo terminal drops the parity without a word,
    /// a chip rounds the speed.
    /// - Throws: `.unsupported` when the line refuses the settings.
    @discardableResult
    func configure(_ settings: SerialSettings, until deadline: Deadline) async throws(TransportError) -> SerialSettings

    /// What the line is set to now.
    func settings(until deadline: Deadline) async throws(TransportError) -> SerialSettings

    func modemLines(until deadline: Deadline) async throws(TransportError) -> ModemLines

    /// Switches on those of `raised`, off those of `lowered`, and leaves the others. A line in both is raised.
    func set(
        raised: ModemOutputs, lowered: ModemOutputs, until deadline: Deadline
    ) async throws(TransportError)

    /// Begins or ends a break: the line is held at 0. `sendBreak` does both.
    func setBreak(_ isOn: Bool, until deadline: Deadline) async throws(TransportError)

    /// Returns when every byte that was sent has left the buffers of this side.
    func drain(until deadline: Deadline) async throws(TransportError)

    /// Throws away what has arrived and was not received yet, what was sent and is not out yet, or both.
    func purge(_ buffers: SerialBuffers, until deadline: Deadline) async throws(TransportError)
}

public struct SerialBuffers: OptionSet, Sendable, Hashable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    public static let input = SerialBuffers(rawValue: 1)
    public static let output = SerialBuffers(rawValue: 2)
}

extension SerialLine {
    /// Holds the line at 0 for `duration`. The break ends even when the caller is cancelled or out of time meanwhile:
    /// it is then shorter.
    public func sendBreak(
        for duration: Duration, on clock: any MonotonicClock, until deadline: Deadline
    ) async throws(TransportError) {
        try await setBreak(true, until: deadline)
        await clock.sleep(until: min(clock.now().advanced(by: duration), deadline.instant))
        // In a task of its own, which nobody cancels, and with time of its own.
        let ending = await Task { () async -> Result<Void, TransportError> in
            do throws(TransportError) {
                try await setBreak(false, until: .after(.seconds(1), on: clock))
                return .success(())
            } catch {
                return .failure(error)
            }
        }.value
        try ending.get()
        if Task.isCancelled { throw TransportError(.cancelled, during: "break") }
    }

    /// Turns each of `outputs` over: on becomes off and off on.
    public func toggle(_ outputs: ModemOutputs, until deadline: Deadline) async throws(TransportError) {
        let present = try await modemLines(until: deadline).outputs
        try await set(
            raised: outputs.subtracting(present), lowered: outputs.intersection(present), until: deadline)
    }
}
