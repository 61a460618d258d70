import Transport

/// The line of a bridge, apart from its bytes: settings, modem lines, break. It outlives the reader: what a client has set
/// is set again when the reader comes back, and while it is away the answers are what will be set then.
actor LineControl {
    /// Of one call that may have to ask a chip over USB.
    private static let patience = Duration.seconds(2)
    /// How long a change waits for the bytes before it to go out.
    private static let drainTime = Duration.milliseconds(250)

    private(set) var settings: SerialSettings
    private(set) var outputs: ModemOutputs = [.dtr, .rts]
    private(set) var isBreakOn = false
    private var line: (any SerialLine)?
    private let clock: any MonotonicClock

    init(_ settings: SerialSettings, clock: any MonotonicClock) {
        self.settings = settings
        self.clock = clock
    }

    /// The line is open. It gets the settings of this control, which may have changed while it was being opened, and
    /// keeps what it can of them.
    /// - Returns: what it was given and what it has kept.
    func begin(_ line: any SerialLine) async -> (asked: SerialSettings, kept: SerialSettings) {
        self.line = line
        let asked = settings
        settings = (try? await line.settings(until: deadline)).map { Self.told($0, of: asked) } ?? settings
        if settings != asked {
            settings = (try? await line.configure(asked, until: deadline)).map { Self.told($0, of: asked) } ?? settings
        }
        let kept = settings
        // An opened line has both up.
        if outputs != [.dtr, .rts] {
            let (raised, lowered) = (outputs, ModemOutputs([.dtr, .rts]).subtracting(outputs))
            try? await line.set(raised: raised, lowered: lowered, until: deadline)
        }
        isBreakOn = false
        return (asked, kept)
    }

    func end() {
        line = nil
    }

    /// What a client is told that the line has kept. A speed that serves as the one it asked for is told as that one:
    /// clients (pyserial) take any other number for a refusal.
    private static func told(_ kept: SerialSettings, of asked: SerialSettings) -> SerialSettings {
        var told = kept
        if kept.baud.isNear(asked.baud) { told.baud = asked.baud }
        return told
    }

    private var deadline: Deadline { .after(Self.patience, on: clock) }

    /// Changes the settings. What they are then is in `settings`: a line may keep others, or refuse.
    func change(_ change: @Sendable (inout SerialSettings) -> Void) async {
        var wanted = settings
        change(&wanted)
        guard let line else {
            settings = wanted
            return
        }
        try? await line.drain(until: .after(Self.drainTime, on: clock))
        do throws(TransportError) {
            settings = Self.told(try await line.configure(wanted, until: deadline), of: wanted)
        } catch {
            // A reader that has just left comes back with what was wanted; a line that refuses stays as it is.
            if error.code != .unsupported { settings = wanted }
        }
    }

    /// A line without modem lines (a pseudo terminal) only remembers.
    func set(_ output: ModemOutputs, isOn: Bool) async {
        if isOn { outputs.insert(output) } else { outputs.remove(output) }
        try? await line?.set(raised: isOn ? output : [], lowered: isOn ? [] : output, until: deadline)
    }

    func setBreak(_ isOn: Bool) async {
        isBreakOn = isOn
        try? await line?.setBreak(isOn, until: deadline)
    }

    func purge(_ buffers: SerialBuffers) async {
        try? await line?.purge(buffers, until: deadline)
    }

    /// None while the reader is away, and of a line without modem lines.
    func inputs() async -> ModemInputs {
        guard let line else { return [] }
        return (try? await line.modemLines(until: deadline))?.inputs ?? []
    }
}
