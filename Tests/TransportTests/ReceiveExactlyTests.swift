import Testing
import Transport

@Suite("Receiving a whole message")
struct ReceiveExactlyTests {
    private let deadline = Deadline(MonotonicInstant(nanoseconds: 5_000_000_000))

    @Test("the parts are put together, whatever their sizes")
    func parts() async throws {
        let link = ScriptedTransport([.give([1]), .give([]), .give([2, 3]), .give([4])])
        #expect(try await link.receive(exactly: 4, until: deadline) == [1, 2, 3, 4])
        #expect(link.remainingSteps == 0)
    }

    @Test("no bytes are asked for: nothing is received")
    func none() async throws {
        let link = ScriptedTransport([.give([1])])
        #expect(try await link.receive(exactly: 0, until: deadline) == [])
        #expect(link.remainingSteps == 1)
    }

    @Test("what ends it keeps its code and carries everything that had come")
    func partial() async {
        let link = ScriptedTransport([.give([1, 2]), .timeOut(partial: [3])])
        do throws(TransportError) {
            _ = try await link.receive(exactly: 9, until: deadline)
            Issue.record("received nine bytes")
        } catch {
            #expect(error.code == .timedOut)
            #expect(error.partial == [1, 2, 3])
        }
        let leaving = ScriptedTransport([.give([1]), .leave])
        do throws(TransportError) {
            _ = try await leaving.receive(exactly: 2, until: deadline)
            Issue.record("received two bytes")
        } catch {
            #expect(error.code == .gone)
            #expect(error.partial == [1])
        }
    }
}
