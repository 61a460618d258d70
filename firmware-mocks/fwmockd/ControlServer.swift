import Glibc
import UMockdevBed

/// The stream socket of `--control`: any number of connections, each sending steering lines and getting one answer a line.
struct ControlServer: Sendable {
    private let listener: SocketListener

    init(path: String) throws(MockBusError) {
        listener = try SocketListener(path: path)
    }

    /// Serves on a thread of its own until the process ends.
    func start(on bus: MockBus) -> Bool {
        BackgroundThread.start { serve(bus) }
    }

    func close() {
        listener.close()
    }

    private func serve(_ bus: MockBus) {
        var connections: [Int32: LineBuffer] = [:]
        while true {
            var entries = ([listener.descriptor] + connections.keys).map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
            if poll(&entries, nfds_t(entries.count), -1) < 0 {
                if errno == EINTR { continue }
                return
            }
            if entries[0].revents & Int16(POLLNVAL) != 0 { return }
            if entries[0].revents != 0 {
                while let connection = listener.accept() { connections[connection] = LineBuffer() }
            }
            for entry in entries.dropFirst() where entry.revents != 0 {
                guard var buffer = connections[entry.fd] else { continue }
                let isOpen = serve(entry.fd, &buffer, bus)
                connections[entry.fd] = isOpen ? buffer : nil
                if !isOpen { Glibc.close(entry.fd) }
            }
        }
    }

    private func serve(_ connection: Int32, _ buffer: inout LineBuffer, _ bus: MockBus) -> Bool {
        var chunk = [UInt8](repeating: 0, count: 1024)
        let count = read(connection, &chunk, chunk.count)
        guard count > 0 else { return count < 0 && errno == EINTR }
        guard let lines = buffer.append(chunk[..<count]) else { return false }
        for line in lines {
            guard let answer = Steering.answer(to: line, on: bus) else { continue }
            guard Output.write(answer + "\n", to: connection) else { return false }
        }
        return true
    }
}
