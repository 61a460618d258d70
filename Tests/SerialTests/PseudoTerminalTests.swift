import Glibc
import Serial
import Testing
import Transport

@Suite("A pseudo terminal for other programs", .timeLimit(.minutes(2)))
struct PseudoTerminalTests {
    private static let settings = SerialSettings(baud: .b115200)

    @Test("programs come and go, and it lives")
    func clients() async throws {
        let context = SerialContext()
        let terminal = try context.makeTerminal()
        #expect(!terminal.hasClient)
        for round in UInt8(1)...20 {
            let port = try await context.open(terminal.node, Self.settings, until: soon)
            try await terminal.waitForClient(until: soon)
            #expect(terminal.hasClient)
            try await port.send([round], until: soon)
            #expect(try await terminal.receive(atMost: 10, until: soon) == [round])
            try await terminal.send([round, round], until: soon)
            #expect(try await port.receive(exactly: 2, until: soon) == [round, round])
            await port.close()
            try await terminal.waitForClient(isThere: false, until: soon)
            #expect(!terminal.hasClient)
        }
        await context.shutdown()
    }

    @Test("a program that only writes and leaves is heard")
    func briefVisit() async throws {
        let context = SerialContext()
        let terminal = try context.makeTerminal()
        for _ in 0..<20 {
            let descriptor = open(terminal.node, O_RDWR | O_NOCTTY | O_CLOEXEC)
            #expect(write(descriptor, [0x68, 0x69] as [UInt8], 2) == 2)
            close(descriptor)
            let heard = try await terminal.receive(exactly: 2, until: soon)
            #expect(heard == [0x68, 0x69])
        }
        await context.shutdown()
    }

    @Test("what is sent while nobody is there waits for somebody, until its deadline")
    func nobody() async throws {
        let context = SerialContext()
        let terminal = try context.makeTerminal()
        #expect(await failure { try await terminal.send([1], until: after(50)) }?.code == .timedOut)
        let sending = Task { await failure { try await terminal.send([2], until: soon) } }
        let port = try await context.open(
            terminal.node, Self.settings, options: SerialOpenOptions(discardsInput: false), until: soon)
        #expect(try await port.receive(atMost: 10, until: soon) == [2])
        #expect(await sending.value == nil)
        await context.shutdown()
    }

    @Test("what one program has not read is not given to the next")
    func leftovers() async throws {
        let context = SerialContext()
        let terminal = try context.makeTerminal()
        let first = open(terminal.node, O_RDWR | O_NOCTTY | O_CLOEXEC)
        try await terminal.send([1, 2, 3], until: soon)
        close(first)
        try await terminal.waitForClient(isThere: false, until: soon)
        let second = open(terminal.node, O_RDWR | O_NOCTTY | O_CLOEXEC)
        defer { close(second) }
        try await terminal.send([4], until: soon)
        var bytes = [UInt8](repeating: 0, count: 10)
        #expect(read(second, &bytes, 10) == 1)
        #expect(bytes[0] == 4)
        await context.shutdown()
    }

    @Test("waiting for a program ends at the deadline, by a cancel and by a close")
    func waiting() async throws {
        let context = SerialContext()
        let terminal = try context.makeTerminal()
        #expect(await failure { try await terminal.waitForClient(until: after(30)) }?.code == .timedOut)
        let waiting = Task { await failure { try await terminal.waitForClient(until: soon) }?.code }
        waiting.cancel()
        #expect(await waiting.value == .cancelled)
        let closing = Task { await failure { try await terminal.waitForClient(until: soon) }?.code }
        await SystemMonotonicClock.shared.sleep(until: after(20).instant)
        await terminal.close()
        #expect(await closing.value == .closed)
        await context.shutdown()
    }

    @Test("it shows what the program has set", arguments: [300, 9600, 12_345, 115_200, 250_000, 4_000_000] as [UInt32])
    func baud(speed: UInt32) async throws {
        let context = SerialContext()
        let terminal = try context.makeTerminal()
        let baud = try #require(BaudRate(speed))
        let port = try await context.open(terminal.node, SerialSettings(baud: baud, flow: .rtscts), until: soon)
        let seen = try await terminal.settings(until: soon)
        #expect(seen.baud == baud)
        #expect(seen.flow == .rtscts)
        #expect(try await port.settings(until: soon).baud == baud)
        await context.shutdown()
    }

    @Test("nothing but a link of our own is replaced")
    func links() async throws {
        var template = Array("/tmp/readerkit-links.XXXXXX".utf8CString)
        let directory = String(cString: try #require(mkdtemp(&template)))
        let path = directory + "/reader"
        let link = try TerminalLink(at: path, to: "/dev/pts/901")
        #expect(target(of: path) == "/dev/pts/901")
        _ = try TerminalLink(at: path, to: "/dev/pts/902")
        #expect(target(of: path) == "/dev/pts/902")
        // It leads elsewhere by now, and so is no longer the first one's.
        link.remove()
        #expect(target(of: path) == "/dev/pts/902")
        try TerminalLink(at: path, to: "/dev/pts/902").remove()
        #expect(target(of: path) == nil)

        symlink("/etc/hostname", path)
        #expect(await failure { try TerminalLink(at: path, to: "/dev/pts/903") }?.code == .busy)
        #expect(target(of: path) == "/etc/hostname")
        unlink(path)
        close(open(path, O_CREAT | O_WRONLY, 0o600))
        #expect(await failure { try TerminalLink(at: path, to: "/dev/pts/903") }?.code == .busy)
        #expect(access(path, F_OK) == 0)
        #expect(entries(of: directory) == 3)
        unlink(path)
        rmdir(directory)
    }

    private func target(of path: String) -> String? {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = readlink(path, &buffer, buffer.count)
        guard count > 0 else { return nil }
        return String(decoding: buffer[0..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
