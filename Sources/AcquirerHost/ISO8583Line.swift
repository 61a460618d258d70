import Gateways
import ISO8583
import Money
import NetworkTransport
import Transport

/// One client that speaks ISO 8583.
struct ISO8583Line: Sendable {
    let connection: NetworkConnection
    let desk: HostDesk
    let options: AcquirerHostOptions
    let profile: Profile
    let framing: MessageFraming
    let clock: any MonotonicClock
    let told: @Sendable (HostEvent) -> Void

    private var codec: MessageCodec { MessageCodec(profile) }

    func run() async {
        await withDiscardingTaskGroup { group in
            let gate = RequestGate(limit: options.requestLimit)
            var reader = FrameReader(framing)
            var messageEnds: Deadline?
            reading: while let bytes = await receive(until: messageEnds) {
                reader.append(bytes)
                do throws(FrameReader.Fault) {
                    while let frame = try reader.next() {
                        messageEnds = nil
                        guard let request = read(frame.message), gate.enter() else { break reading }
                        group.addTask {
                            if await !answer(request, frame.header) { connection.requestClose() }
                            gate.leave()
                        }
                    }
                } catch {
                    break
                }
                if !reader.isInsideMessage {
                    messageEnds = nil
                } else if messageEnds == nil {
                    messageEnds = .after(options.messageTimeout, on: clock)
                }
            }
            connection.requestClose()
            group.cancelAll()
        }
    }

    private func receive(until messageEnds: Deadline?) async -> [UInt8]? {
        try? await connection.receive(until: messageEnds ?? .after(options.idleTimeout, on: clock))
    }

    private struct Request: Sendable {
        let message: Message
        let hasRightMAC: Bool
    }

    /// Nil when it is no message, or an answer.
    private func read(_ bytes: [UInt8]) -> Request? {
        guard let (message, layout) = try? codec.decodeWithLayout(bytes), message.type.isRequest else { return nil }
        let isRight = options.authentication?.verifies(message, bytes: bytes, layout: layout) ?? true
        guard let key = options.cardDataKey, message[CardDataSeal.field] != nil, isRight else {
            return Request(message: message, hasRightMAC: isRight)
        }
        let opened = CardDataSeal(key: key)?.open(message)
        return Request(message: opened ?? message, hasRightMAC: opened != nil)
    }

    /// False ends the conversation.
    private func answer(_ request: Request, _ header: [UInt8]) async -> Bool {
        let year = UniversalTime(milliseconds: UniversalTime.systemMilliseconds()).year
        let asked = RequestReading(message: request.message, presentYear: year).request()
        var outcome = HostDesk.Outcome(reply: .silence, rule: nil)
        if !request.hasRightMAC {
            // Security violation.
            outcome = HostDesk.Outcome(reply: Self.refusal("63"), rule: nil)
        } else if let asked {
            outcome = await desk.perform(asked)
        } else {
            // Format error.
            outcome = HostDesk.Outcome(reply: Self.refusal("30"), rule: nil)
        }
        if let asked {
            told(
                HostEvent(
                    operation: asked.operation, attempt: asked.attempt?.text, amount: asked.amount?.minorUnits,
                    responseCode: outcome.reply.responseCode?.text, fault: outcome.rule?.fault))
        }
        let sending = ReplySending(connection: connection, clock: clock)
        let noise = framing.frame([0xDE, 0xAD, 0xBE, 0xEF], answering: header) ?? [0xDE]
        if case .garbage = outcome.reply {
            return await sending.send(noise, nil, garbage: noise)
        }
        return await sending.send(frame(outcome, request.message, header), outcome.rule, garbage: noise)
    }

    private static func refusal(_ code: String) -> HostReply {
        ResponseCode(code).map { .refused($0) } ?? .silence
    }

    private func frame(_ outcome: HostDesk.Outcome, _ request: Message, _ header: [UInt8]) -> [UInt8]? {
        guard var message = ReplyWriting(request: request).message(outcome.reply) else { return nil }
        if outcome.rule?.fault == .wrongSTAN, let number = message.text(11).flatMap({ Int64($0) }) {
            message.set(11, ReplyWriting.padded(number % 999_999 + 1, 6))
        }
        guard var bytes = encode(message) else { return nil }
        if outcome.rule?.fault == .wrongMAC { bytes[bytes.count - 1] ^= 0x01 }
        return framing.frame(bytes, answering: header)
    }

    private func encode(_ message: Message) -> [UInt8]? {
        if let authentication = options.authentication { return try? authentication.encode(message, codec) }
        return try? codec.encode(message)
    }
}
