import Serial
import Synchronization

/// What the owner of an RFC 2217 connection has to carry out before the client's next bytes go on.
enum ComPortRequest: Sendable, Hashable {
    /// Both sides speak RFC 2217 now.
    case agreed
    case command(ComPortCommand)
}

/// Telnet with the com port option, between a client and a relay. Options are answered at once; what concerns the line
/// halts the client's bytes until it is carried out, so that bytes behind a change of speed go out at the new one.
final class ComPortTranslator: RelayTranslator {
    private struct State: Sendable {
        var reader = TelnetReader()
        var negotiation = TelnetNegotiation()
        var request: ComPortRequest?
        var session = 0
    }

    private let state = Mutex(State())

    /// For a new client. Answers what it is told first.
    func begin() -> [UInt8] {
        state.withLock { state in
            state = State(session: state.session + 1)
            return state.negotiation.offer()
        }
    }

    /// What has to be carried out, and for which client.
    func takeRequest() -> (request: ComPortRequest, session: Int)? {
        state.withLock { state in
            defer { state.request = nil }
            return state.request.map { ($0, state.session) }
        }
    }

    func isCurrent(_ session: Int) -> Bool { state.withLock { $0.session == session } }

    /// The client's session, when it speaks RFC 2217.
    var comPortSession: Int? { state.withLock { $0.negotiation.hasComPort ? $0.session : nil } }

    func fromClient(
        _ bytes: UnsafeRawBufferPointer, line: inout [UInt8], client: inout [UInt8]
    ) -> (read: Int, halts: Bool) {
        state.withLock { state in
            var place = 0
            while place < bytes.count {
                let (item, end) = state.reader.next(in: bytes, from: place)
                place = end
                switch item {
                case .data(let range): line.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[range]))
                case .negotiation(let verb, let option):
                    let hadComPort = state.negotiation.hasComPort
                    client += state.negotiation.answer(verb, option)
                    if state.negotiation.hasComPort, !hadComPort { state.request = .agreed }
                case .subnegotiation(TelnetOption.comPort.rawValue, let parameters):
                    state.request = ComPortCommand(parameters).map { .command($0) }
                    if state.request != nil { state.negotiation.comPortIsUsed() }
                case .subnegotiation, .command, nil: break
                }
                if state.request != nil { return (place, true) }
            }
            return (place, false)
        }
    }

    func passesUnchanged(_ bytes: UnsafeRawBufferPointer) -> Bool {
        TelnetReader.nextEscape(in: bytes, from: 0) == bytes.count
    }

    func fromLine(_ bytes: UnsafeRawBufferPointer, client: inout [UInt8]) {
        TelnetWriter.appendData(bytes, to: &client)
    }
}
