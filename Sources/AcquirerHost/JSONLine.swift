import Gateways
import JSONText
import Money
import NetworkTransport
import Transport

/// One client that speaks JSON, one object a line. Answers may come in another order than their requests; `id` tells.
struct JSONLine: Sendable {
    let connection: NetworkConnection
    let desk: HostDesk
    let options: AcquirerHostOptions
    let clock: any MonotonicClock
    let told: @Sendable (HostEvent) -> Void

    private static let longestLine = 65_536
    private static let noise = Array("\u{1}\u{2}\u{3}\n".utf8)

    func run() async {
        await withDiscardingTaskGroup { group in
            let gate = RequestGate(limit: options.requestLimit)
            var buffer: [UInt8] = []
            var lineEnds: Deadline?
            reading: while let bytes = await receive(until: lineEnds) {
                buffer += bytes
                while let end = buffer.firstIndex(of: 0x0A) {
                    let line = buffer[..<end]
                    lineEnds = nil
                    guard let request = JSONRequest(line: line), gate.enter() else { break reading }
                    buffer.removeSubrange(...end)
                    group.addTask {
                        if await !answer(request) { connection.requestClose() }
                        gate.leave()
                    }
                }
                guard buffer.count <= Self.longestLine else { break }
                if buffer.isEmpty {
                    lineEnds = nil
                } else if lineEnds == nil {
                    lineEnds = .after(options.messageTimeout, on: clock)
                }
            }
            connection.requestClose()
            group.cancelAll()
        }
    }

    private func receive(until lineEnds: Deadline?) async -> [UInt8]? {
        try? await connection.receive(until: lineEnds ?? .after(options.idleTimeout, on: clock))
    }

    private func answer(_ request: JSONRequest) async -> Bool {
        let sending = ReplySending(connection: connection, clock: clock)
        guard let asked = request.request() else {
            let reply: JSONValue = .object([
                "id": .string(request.id), "responseCode": "30", "error": "a field is missing or has no such value",
            ])
            return await sending.send(Array((reply.compactText + "\n").utf8), nil, garbage: [])
        }
        let outcome = await desk.perform(asked)
        told(
            HostEvent(
                operation: asked.operation, attempt: asked.attempt?.text, amount: asked.amount?.minorUnits,
                responseCode: outcome.reply.responseCode?.text, fault: outcome.rule?.fault))
        if case .garbage = outcome.reply { return await sending.send(Self.noise, nil, garbage: Self.noise) }
        let id = outcome.rule?.fault == .wrongSTAN ? request.id + "x" : request.id
        let frame = JSONReply.object(outcome.reply, id: id).map { Array(($0.compactText + "\n").utf8) }
        return await sending.send(frame, outcome.rule, garbage: Self.noise)
    }
}
