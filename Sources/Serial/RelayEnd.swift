import Glibc
package import Transport

/// One end of a `ByteRelay`.
package struct RelayEnd: Sendable {
    let channel: ByteChannel
}

extension SerialPort {
    package var relayEnd: RelayEnd { RelayEnd(channel: channel) }
}

extension PseudoTerminal {
    package var relayEnd: RelayEnd { RelayEnd(channel: channel) }
}

/// A connected socket on the loop of a `SerialContext`. Made by `adopt` and `makePipe` of the context.
package final class SocketPipe: Transport, Sendable {
    package let traits = TransportTraits(packetSize: 1, hasEvents: false, hasControl: false)
    private let channel: ByteChannel

    /// Takes the descriptor over, also when it throws.
    init(_ descriptor: Int32, on loop: SerialLoop, context: SerialContext) throws(TransportError) {
        channel = ByteChannel(descriptor, isSocket: true, loop: loop) { key, released in
            Glibc.close(descriptor)
            context.forget(key)
            released()
        }
        guard loop.add(channel) else {
            Glibc.close(descriptor)
            throw TransportError(.closed, during: "adopt a socket")
        }
    }

    package var relayEnd: RelayEnd { RelayEnd(channel: channel) }

    var key: ObjectIdentifier { ObjectIdentifier(channel) }

    package func send(_ bytes: [UInt8], until deadline: Deadline) async throws(TransportError) {
        try await channel.send(bytes, until: deadline)
    }

    package func receive(atMost count: Int, until deadline: Deadline) async throws(TransportError) -> [UInt8] {
        try await channel.receive(atMost: count, until: deadline)
    }

    package func receiveEvent(until deadline: Deadline) async throws(TransportError) -> [UInt8] {
        throw TransportError(.unsupported, during: "receive event")
    }

    package func control(_ request: ControlRequest, until deadline: Deadline) async throws(TransportError) -> [UInt8] {
        throw TransportError(.unsupported, during: "control")
    }

    package func clearStall(_ direction: TransportDirection, until deadline: Deadline) async throws(TransportError) {}

    package func close() async {
        await channel.close()
    }
}

extension SerialContext {
    /// Takes over a connected, non-blocking socket, which it closes in the end, also when this throws.
    package func adopt(socket: Int32) throws(TransportError) -> SocketPipe {
        let pipe = try SocketPipe(socket, on: try loop.get(), context: self)
        guard keep(pipe, as: pipe.key) else { throw TransportError(.closed, during: "adopt a socket") }
        return pipe
    }

    /// Two ends that are joined: what the one is sent, the other receives. At most about 16 KiB are under way.
    package func makePipe() throws(TransportError) -> (SocketPipe, SocketPipe) {
        var ends: (Int32, Int32) = (-1, -1)
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let result = withUnsafeMutablePointer(to: &ends) { pair in
            pair.withMemoryRebound(to: Int32.self, capacity: 2) { socketpair(AF_UNIX, type, 0, $0) }
        }
        guard result == 0 else { throw SystemError.last.transportError(during: "make a pipe") }
        var size: Int32 = 8192
        for end in [ends.0, ends.1] {
            setsockopt(end, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        }
        let first: SocketPipe
        do throws(TransportError) {
            first = try adopt(socket: ends.0)
        } catch {
            Glibc.close(ends.1)
            throw error
        }
        return (first, try adopt(socket: ends.1))
    }
}
