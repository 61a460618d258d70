import FirmwareCores
import InProcessMock
import ReaderWire
import Synchronization
import Testing
import Transport

@testable import Readers

/// Cancelling: before a card, after the reader has decided, and when the reader does not listen.
@Suite struct NEO2CancelTests {
    /// Cancels the task that makes the first receive after a command of this code, once.
    private func cancel(_ bed: NEO2Bed, after code: UInt8) {
        let wasSent = Mutex(false)
        let isDone = Mutex(false)
        bed.tamper { [weak bed] note in
            if note.kind == .out, note.moment == .submitted, bed?.command(in: note)?.command == code {
                wasSent.withLock { $0 = true }
            }
            if note.kind == .in, note.moment == .submitted, wasSent.withLock({ $0 }),
                isDone.withLock({ done in
                    defer { done = true }
                    return !done
                })
            {
                withUnsafeCurrentTask { $0?.cancel() }
            }
            return .pass
        }
    }

    @Test("a cancel before the card stops the reader", arguments: [(UInt8(0x02), true), (0x60, false)])
    func beforeCard(code: UInt8, isContactless: Bool) async throws {
        let bed = try NEO2Bed()
        let reader = try await bed.open()
        bed.forget()
        cancel(bed, after: code)
        let ended = await Task { () -> ReaderError.Code? in
            do throws(ReaderError) {
                _ = try await bed.start(reader, isContactless ? [.contactless] : [.contact])
                return nil
            } catch {
                return error.code
            }
        }.value
        #expect(ended == .cancelled)
        #expect(bed.commands.first == (isContactless ? "0240" : "6010"))
        #expect(bed.commands.dropFirst().first == "0501")
        #expect(bed.withFirmware { $0.terminal.isActive } == false)
        #expect(!bed.hasTransfersInFlight)
        bed.tamper(nil)
        bed.steer("tap visa-credit")
        #expect(name(try await bed.start(reader, [.contactless])) == "online contactlessChip")
    }

    @Test("a cancel that comes after the decision changes nothing")
    func tooLate() async throws {
        let bed = try NEO2Bed()
        let reader = try await bed.open()
        cancelAnd(bed) { "tap visa-credit" }
        let stop = await Task { () -> String in
            do throws(ReaderError) {
                return name(try await bed.start(reader, [.contactless]))
            } catch {
                return "\(error.code)"
            }
        }.value
        #expect(stop == "online contactlessChip")
        #expect(bed.commands.suffix(2) == ["0240", "0501"])
        bed.tamper(nil)
        #expect(name(try await reader.complete(hostApproval, until: bed.after(5))) == "approved contactlessChip")
    }

    /// As `cancel`, and gives the reader a command just before it gets the 05-01.
    private func cancelAnd(_ bed: NEO2Bed, _ command: @escaping @Sendable () -> String) {
        let isDone = Mutex(false)
        let wasSent = Mutex(false)
        bed.tamper { [weak bed] note in
            guard note.moment == .submitted else { return .pass }
            if note.kind == .out {
                let code = bed?.command(in: note)?.command
                if code == 0x02 { wasSent.withLock { $0 = true } }
                return code == 0x05 && wasSent.withLock({ $0 }) ? .steer(command()) : .pass
            }
            let isFirst = isDone.withLock { done in
                guard wasSent.withLock({ $0 }) else { return false }
                defer { done = true }
                return !done
            }
            if isFirst { withUnsafeCurrentTask { $0?.cancel() } }
            return .pass
        }
    }

    @Test("a reader that answers no cancel is silent")
    func deaf() async throws {
        let bed = try NEO2Bed()
        let reader = try await bed.open()
        bed.steer("fault 2 silent")
        cancel(bed, after: 0x02)
        let ended = await Task { () -> ReaderError.Code? in
            do throws(ReaderError) {
                _ = try await bed.start(reader, [.contactless])
                return nil
            } catch {
                return error.code
            }
        }.value
        #expect(ended == .silent)
        bed.tamper(nil)
        bed.steer("tap visa-credit")
        #expect(name(try await bed.start(reader, [.contactless])) == "online contactlessChip")
    }

    @Test("closing ends a wait in another task, and the reader's")
    func closed() async throws {
        let bed = try NEO2Bed()
        let reader = try await bed.open()
        let isWaiting = Mutex(false)
        bed.tamper { [weak bed] note in
            if note.kind == .out, bed?.command(in: note)?.command == 0x02 { isWaiting.withLock { $0 = true } }
            if note.kind == .in, note.moment == .submitted, isWaiting.withLock({ $0 }) {
                isWaiting.withLock { $0 = false }
                Task { await reader.close() }
            }
            return .pass
        }
        // A virtual clock jumps to the end of the wait: either the close comes in time, or the next call finds it.
        do throws(ReaderError) {
            _ = try await bed.start(reader, [.contactless])
        } catch {
            #expect(error.code == .closed || error.code == .cardNotInserted)
        }
        await reader.close()
        #expect(bed.withFirmware { $0.terminal.isActive } == false)
        #expect(!bed.hasTransfersInFlight)
    }
}
