extension QPOSFirmware {
    /// The result of the command under way, in parts where it is long.
    func finish(_ id: UInt8, result: UInt8 = 0, _ data: [UInt8] = [], at now: Duration) {
        guard var ended = exchange else { return }
        ended.until = nil
        ended.busyAt = nil
        let id = forcedState ?? id
        forcedState = nil
        let starts = Array(stride(from: 0, to: max(1, data.count), by: options.partLength))
        ended.frames = starts.map { start in
            let isLast = start == starts.last
            return QPOSMessage.frame(
                isLast ? id : QPOSState.partData, ended.code, ended.subCode, result: isLast ? result : 0,
                Array(data.dropFirst(start).prefix(options.partLength)))
        }
        exchange = ended
    }

    /// The next frame, if the host asked for one and there is one.
    /// - Parameter mayHold: without a result the query is held for a while; a command is answered with 23 at once.
    func respond(at now: Duration, mayHold: Bool = false) -> [SerialEffect] {
        guard var current = exchange, current.isAsked else { return [] }
        if current.busyLeft > 0 {
            if current.busyLeft != Int.max { current.busyLeft -= 1 }
            exchange = current
            return tellBusy(at: now)
        }
        guard !current.frames.isEmpty else {
            guard mayHold, options.holdTime > .zero, current.notice == nil else { return tellBusy(at: now) }
            exchange?.busyAt = now + options.holdTime
            // A fault that swallows the answer swallows the 23 of a held query as well.
            return []
        }
        let frame = current.frames.removeFirst()
        let fault = current.fault
        current.isAsked = false
        current.fault = nil
        exchange = current.frames.isEmpty ? nil : current
        return deliver(frame, fault, at: now)
    }

    /// A result has come of itself.
    func told(at now: Duration) -> [SerialEffect] {
        if options.isEager { exchange?.isAsked = true }
        return respond(at: now)
    }

    func tellBusy(at now: Duration) -> [SerialEffect] {
        guard var current = exchange, current.isAsked else { return [] }
        let frame = QPOSMessage.frame(current.notice ?? QPOSState.waiting, current.code, current.subCode)
        let fault = current.fault
        current.notice = nil
        current.isAsked = false
        current.fault = nil
        exchange = current
        return deliver(frame, fault, at: now)
    }

    /// Hands a frame to the host, or does what the fault says instead.
    func deliver(_ frame: [UInt8], _ fault: FrameFault?, at now: Duration) -> [SerialEffect] {
        let stale =
            frame.dropFirst(4).first == 0x41
            ? QPOSMessage.frame(QPOSState.completed, 0x23, 0x10) : QPOSMessage.frame(QPOSState.completed, 0x41, 0x10)
        let delivery = FrameDelivery(
            noise: [0x00, 0xFF, QPOSMessage.start, 0x00, 0x06, 0x24], unsolicited: nil,
            hostileLength: [QPOSMessage.start, 0xFF, 0xFF] + frame.dropFirst(3).prefix(8))
        return delivery.effects([frame].filter { !$0.isEmpty }, fault, stale: stale, at: now, &agenda)
    }
}
