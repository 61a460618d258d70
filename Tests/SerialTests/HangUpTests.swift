import Glibc
import Serial
import Testing
import Transport

@Suite("The end of a port", .timeLimit(.minutes(2)))
struct HangUpTests {
    @Test("a hang-up ends a waiting receive and everything after it with gone")
    func whileReading() async throws {
        try await Bed.with { bed in
            let waiting = Task { await failure { try await bed.port.receive(atMost: 10, until: soon) } }
            await SystemMonotonicClock.shared.sleep(until: after(20).instant)
            await bed.far.close()
            #expect(await waiting.value?.code == .gone)
            #expect(await failure { try await bed.port.receive(atMost: 1, until: soon) }?.code == .gone)
            #expect(await failure { try await bed.port.send([1], until: soon) }?.code == .gone)
            #expect(await failure { try await bed.port.settings(until: soon) }?.code == .gone)
            #expect(await failure { try await bed.port.drain(until: soon) }?.code == .gone)
        }
    }

    @Test("a hang-up ends a send that waits")
    func whileSending() async throws {
        try await Bed.with { bed in
            let sending = Task {
                await failure { try await bed.port.send([UInt8](repeating: 1, count: 1 << 20), until: soon) }
            }
            await SystemMonotonicClock.shared.sleep(until: after(50).instant)
            await bed.far.close()
            #expect(await sending.value?.code == .gone)
        }
    }

    @Test("what came before the hang-up is not lost")
    func dataWins() async throws {
        try await Bed.with { bed in
            try await bed.far.send([1, 2, 3], until: soon)
            // The port's thread reads ahead.
            #expect(try await bed.port.receive(atMost: 1, until: soon) == [1])
            await bed.far.close()
            let waiting = await failure { try await bed.port.receive(exactly: 3, until: soon) }
            #expect(waiting?.code == .gone)
            #expect(waiting?.partial == [2, 3])
        }
    }

    @Test("the descriptor of a device that left is closed at once, with the port still held")
    func freed() async throws {
        try await Bed.with { bed in
            let node = bed.port.node
            #expect(descriptors(of: node) == 1)
            await bed.far.close()
            #expect(await failure { try await bed.port.receive(atMost: 1, until: soon) }?.code == .gone)
            let deadline = soon
            while descriptors(of: node) > 0, !deadline.hasPassed(on: SystemMonotonicClock.shared) {
                await SystemMonotonicClock.shared.sleep(until: after(5).instant)
            }
            #expect(descriptors(of: node) == 0)
        }
    }

    @Test("a close ends a waiting receive with closed, and may be repeated")
    func closeWhilePending() async throws {
        try await Bed.with { bed in
            let waiting = Task { await failure { try await bed.port.receive(atMost: 10, until: soon) } }
            await SystemMonotonicClock.shared.sleep(until: after(20).instant)
            await bed.port.close()
            #expect(await waiting.value?.code == .closed)
            await bed.port.close()
            #expect(await failure { try await bed.port.send([1], until: soon) }?.code == .closed)
            #expect(await failure { try await bed.port.modemLines(until: soon) }?.code == .closed)
            #expect(descriptors(of: bed.port.node) == 0)
        }
    }

    @Test("after a hang-up and a close the answer is closed")
    func closedAfterGone() async throws {
        try await Bed.with { bed in
            await bed.far.close()
            #expect(await failure { try await bed.port.receive(atMost: 1, until: soon) }?.code == .gone)
            await bed.port.close()
            #expect(await failure { try await bed.port.receive(atMost: 1, until: soon) }?.code == .closed)
        }
    }

    @Test("what was sent goes out before a close")
    func linger() async throws {
        try await Bed.with { bed in
            try await bed.port.send([9, 8, 7], until: soon)
            await bed.port.close()
            #expect(try await bed.far.receive(exactly: 3, until: soon) == [9, 8, 7])
        }
    }

    @Test("the shutdown closes what is open, and nothing opens after it")
    func shutdown() async throws {
        let context = SerialContext()
        let far = try context.makeTerminal()
        let port = try await context.open(far.node, SerialSettings(baud: .b9600), until: soon)
        let waiting = Task { await failure { try await port.receive(atMost: 1, until: soon) } }
        await SystemMonotonicClock.shared.sleep(until: after(20).instant)
        await context.shutdown()
        let ending = try #require(await waiting.value)
        #expect([.closed, .gone].contains(ending.code))
        let refused = await failure { try await context.open("/dev/null", SerialSettings(baud: .b9600), until: soon) }
        #expect(refused?.code == .closed)
        #expect(await failure { try context.makeTerminal() }?.code == .closed)
        await context.shutdown()
    }

    @Test("200 ports, opened, used and closed or hung up, leave no descriptor and no thread behind")
    func endurance() async throws {
        let context = SerialContext()
        func cycle(_ index: Int) async throws {
            let far = try context.makeTerminal()
            let port = try await context.open(far.node, SerialSettings(baud: .b115200), until: soon)
            let waiting = Task { await failure { try await port.receive(exactly: 2, until: soon) } }
            try await far.send([1], until: soon)
            switch index % 3 {
            case 0: waiting.cancel()
            case 1: await far.close()
            default: await port.close()
            }
            let ending = try #require(await waiting.value)
            #expect([.cancelled, .gone, .closed].contains(ending.code))
            await port.close()
            await far.close()
        }
        for index in 0..<10 { try await cycle(index) }
        let (descriptors, threads) = (entries(of: "/proc/self/fd"), entries(of: "/proc/self/task"))
        for index in 0..<200 { try await cycle(index) }
        // Other tests of this process open and close as well; 200 leaks would show through all of that.
        let deadline = soon
        while entries(of: "/proc/self/fd") > descriptors + 60 || entries(of: "/proc/self/task") > threads + 60,
            !deadline.hasPassed(on: SystemMonotonicClock.shared)
        {
            await SystemMonotonicClock.shared.sleep(until: after(20).instant)
        }
        #expect(entries(of: "/proc/self/fd") <= descriptors + 60)
        #expect(entries(of: "/proc/self/task") <= threads + 60)
        await context.shutdown()
    }
}

/// How many descriptors of this process are open on `node`.
func descriptors(of node: String) -> Int {
    names(in: "/proc/self/fd").count { name in
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/fd/" + name, &buffer, buffer.count)
        guard count > 0 else { return false }
        return String(decoding: buffer[0..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self) == node
    }
}

func entries(of directory: String) -> Int { names(in: directory).count }

private func names(in directory: String) -> [String] {
    guard let stream = opendir(directory) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
        guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { continue }
        let start = UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: CChar.self)
        names.append(String(cString: start))
    }
    return names
}
