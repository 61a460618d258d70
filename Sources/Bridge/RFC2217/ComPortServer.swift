import Serial
import Transport

/// Carries out what an RFC 2217 client asks of the line, one request after the other, and tells it what has changed.
actor ComPortServer {
    /// NOTIFY-LINESTATE: transmit shift and holding register empty.
    private static let transmitterEmpty: UInt8 = 64 | 32
    /// How long a change waits for the bytes before it to reach the line.
    private static let drainTime = Duration.milliseconds(250)

    private let control: LineControl
    private let relay: ByteRelay
    private let translator: ComPortTranslator
    private let signature: String
    private let clock: any MonotonicClock
    private let report: @Sendable (BridgeEvent) -> Void

    private var session = 0
    private var modemMask: UInt8 = 255
    private var lineMask: UInt8 = 0
    private var told: ModemInputs?

    init(
        _ control: LineControl, _ relay: ByteRelay, _ translator: ComPortTranslator, _ signature: String,
        clock: any MonotonicClock, report: @escaping @Sendable (BridgeEvent) -> Void
    ) {
        self.control = control
        self.relay = relay
        self.translator = translator
        self.signature = signature
        self.clock = clock
        self.report = report
    }

    /// The client's bytes stand still until this is done.
    func carryOutRequest() async {
        guard let (request, session) = translator.takeRequest() else { return }
        if session != self.session {
            self.session = session
            (modemMask, lineMask, told) = (255, 0, nil)
            // Who is it?
            answer(.signature([]), to: session)
        }
        if case .command(let command) = request, let answer = await answer(to: command) {
            self.answer(answer, to: session)
        }
        await tellModemState()
        if translator.isCurrent(session) { relay.goOn() }
    }

    /// Tells the client when modem lines have moved that it wants to know of.
    func tellModemState() async {
        guard let session = translator.comPortSession, session == self.session else { return }
        let inputs = await control.inputs()
        guard let earlier = told else {
            told = inputs
            return answer(.modemState(inputs.comPort & modemMask), to: session)
        }
        guard inputs != earlier else { return }
        told = inputs
        let changed = inputs.comPort ^ earlier.comPort | inputs.comPort(since: earlier) & 0x0F
        if changed & modemMask != 0 {
            answer(.modemState(inputs.comPort(since: earlier) & modemMask), to: session)
        }
    }

    private func answer(_ answer: ComPortAnswer, to session: Int) {
        if translator.isCurrent(session) { relay.answer(answer.bytes) }
    }

    private func answer(to command: ComPortCommand) async -> ComPortAnswer? {
        switch command {
        case .signature(let text):
            guard text.isEmpty else {
                report(.clientSignature(String(decoding: text, as: UTF8.self)))
                return nil
            }
            return .signature(Array(signature.utf8))
        case .setBaud(let number):
            if let baud = BaudRate(number) { await change { $0.baud = baud } }
            return .baud(await control.settings.baud.bitsPerSecond)
        case .setDataSize(let number):
            if let size = SerialSettings.DataBits(rawValue: number) { await change { $0.dataBits = size } }
            return .dataSize(await control.settings.dataBits.rawValue)
        case .setParity(let number):
            if let parity = SerialSettings.Parity(comPort: number) { await change { $0.parity = parity } }
            return .parity(await control.settings.parity.comPort)
        case .setStopSize(let number):
            // 3 would be one and a half, which no line here has.
            if let size = SerialSettings.StopBits(rawValue: number) { await change { $0.stopBits = size } }
            return .stopSize(await control.settings.stopBits.rawValue)
        case .setControl(let number): return await control(number).map { .control($0) }
        case .notifyLineState:
            return .lineState(relay.waitingForLine == 0 ? Self.transmitterEmpty : 0)
        case .notifyModemState:
            let inputs = await control.inputs()
            defer { told = inputs }
            return .modemState(inputs.comPort(since: told ?? inputs))
        case .suspend, .resume:
            relay.suspend(command == .suspend)
            return nil
        case .setLineStateMask(let mask):
            // Accepted, and of no use: a tty tells no line errors.
            lineMask = mask
            return .lineStateMask(lineMask)
        case .setModemStateMask(let mask):
            modemMask = mask
            return .modemStateMask(mask)
        case .purge(let number):
            await purge(number)
            return .purge(number)
        }
    }

    /// Bytes that came before the change go out before it, unless the line does not take them.
    private func change(_ change: @Sendable (inout SerialSettings) -> Void) async {
        let deadline = Deadline.after(Self.drainTime, on: clock)
        while relay.waitingForLine > 0, !deadline.hasPassed(on: clock) {
            await clock.sleep(until: clock.now().advanced(by: .milliseconds(1)))
        }
        await control.change(change)
    }

    /// SET-CONTROL. Answers what holds then, in the numbers of the question; nil when there is no such number.
    private func control(_ number: UInt8) async -> UInt8? {
        if let flow = SerialSettings.FlowControl(comPort: number) { await change { $0.flow = flow } }
        switch number {
        // 17 and 19, flow control by DCD and by DSR, are not there: the answer is what holds instead.
        case 0...3, 17, 19: return await control.settings.flow.comPort
        case 13...16, 18: return await control.settings.flow.comPortInbound
        case 4...6:
            if number != 4 { await control.setBreak(number == 5) }
            return await control.isBreakOn ? 5 : 6
        case 7...9:
            if number != 7 { await control.set(.dtr, isOn: number == 8) }
            return await control.outputs.contains(.dtr) ? 8 : 9
        case 10...12:
            if number != 10 { await control.set(.rts, isOn: number == 11) }
            return await control.outputs.contains(.rts) ? 11 : 12
        default: return nil
        }
    }

    /// 1: what has come from the line; 2: what is to go to it; 3: both.
    private func purge(_ number: UInt8) async {
        var buffers: SerialBuffers = []
        if number == 1 || number == 3 { buffers.insert(.input) }
        if number == 2 || number == 3 {
            buffers.insert(.output)
            relay.purgeToLine()
        }
        if !buffers.isEmpty { await control.purge(buffers) }
    }
}
