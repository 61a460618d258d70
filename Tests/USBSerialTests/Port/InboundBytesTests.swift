import Testing
import Transport

@testable import USBSerial

@Suite("Bytes that were read ahead", .timeLimit(.minutes(1)))
struct InboundBytesTests {
    private let clock = SystemMonotonicClock.shared

    private func take(_ count: Int, from inbound: InboundBytes) async -> Result<[UInt8], TransportError> {
        do throws(TransportError) {
            return .success(try await inbound.take(atMost: count, until: soon, on: clock))
        } catch {
            return .failure(error)
        }
    }

    @Test("in their order, at most as many as asked for")
    func order() async throws {
        let inbound = InboundBytes()
        inbound.append([1, 2])
        inbound.append([3])
        #expect(try await inbound.take(atMost: 2, until: soon, on: clock) == [1, 2])
        #expect(try await inbound.take(atMost: 0, until: soon, on: clock) == [])
        #expect(try await inbound.take(atMost: 9, until: soon, on: clock) == [3])
    }

    @Test("bytes that came before a cancel are returned, those after it are for the next")
    func cancel() async {
        for round in 0..<300 {
            let inbound = InboundBytes()
            let waiting = Task { await take(9, from: inbound) }
            for _ in 0..<(round % 7) { await Task.yield() }
            inbound.append([7])
            waiting.cancel()
            switch await waiting.value {
            case .success(let bytes): #expect(bytes == [7])
            // It had not begun to wait.
            case .failure(let error):
                #expect(error.code == .cancelled)
                let rest = await take(9, from: inbound)
                #expect(rest == .success([7]))
            }
        }
    }

    @Test("reading stops at the limit and goes on when something was taken")
    func room() async {
        let inbound = InboundBytes()
        inbound.append([UInt8](repeating: 1, count: InboundBytes.limit - 1))
        #expect(await inbound.waitForRoom())
        inbound.append([2])
        let waiting = Task { await inbound.waitForRoom() }
        let full = Task { await inbound.waitForRoom() }
        full.cancel()
        #expect(await full.value == false)
        let taken = await take(1, from: inbound)
        #expect(taken == .success([1]))
        #expect(await waiting.value)
    }

    @Test("an end lets the rest be taken, except a close; the first end stays, until a close")
    func ends() async {
        let inbound = InboundBytes()
        inbound.append([1, 2])
        inbound.end(TransportError(.gone, during: "receive"))
        inbound.end(TransportError(.failed, during: "receive"))
        #expect(await inbound.waitForRoom() == false)
        let first = await take(1, from: inbound)
        #expect(first == .success([1]))
        #expect(inbound.ending?.code == .gone)
        inbound.end(TransportError(.closed, during: "receive"))
        inbound.append([3])
        let second = await take(1, from: inbound)
        #expect(second == .failure(TransportError(.closed, during: "receive")))
    }
}
