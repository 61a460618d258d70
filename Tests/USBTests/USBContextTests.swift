import Testing
import Transport
import USB

@Suite("A libusb context without devices", .timeLimit(.minutes(1)))
struct USBContextTests {
    private let nowhere = USBDeviceAddress(bus: 255, device: 255)

    private func openNowhere(_ context: USBContext, within duration: Duration) async -> TransportError? {
        let options = USBOpenOptions(settlingTime: .milliseconds(20))
        do throws(TransportError) {
            let deadline = Deadline.after(duration, on: SystemMonotonicClock.shared)
            await (try context.open(nowhere, options: options, until: deadline)).close()
            return nil
        } catch {
            return error
        }
    }

    @Test("a device that is not there is gone, once the settling time is over")
    func absent() async throws {
        let context = USBContext()
        try context.checkStarted()
        let error = await openNowhere(context, within: .seconds(30))
        #expect(error?.code == .gone)
        #expect(error?.underlying == "LIBUSB_ERROR_NOT_FOUND")
        await context.shutdown()
    }

    @Test("an open whose deadline has passed times out")
    func late() async {
        let context = USBContext()
        #expect(await openNowhere(context, within: .zero)?.code == .timedOut)
        await context.shutdown()
    }

    @Test("a cancelled open says so")
    func cancelled() async {
        let context = USBContext()
        let opening = Task {
            while !Task.isCancelled { await Task.yield() }
            return await openNowhere(context, within: .seconds(30))?.code
        }
        opening.cancel()
        #expect(await opening.value == .cancelled)
        await context.shutdown()
    }

    @Test("after the shutdown, which may be repeated, nothing opens")
    func shutDown() async {
        let context = USBContext()
        await context.shutdown()
        await context.shutdown()
        #expect(await openNowhere(context, within: .seconds(30))?.code == .closed)
    }

    @Test("fifty contexts come and go, also forgotten ones")
    func many() async throws {
        for round in 0..<50 {
            let context = USBContext()
            try context.checkStarted()
            if round % 2 == 0 { await context.shutdown() }
        }
    }
}
