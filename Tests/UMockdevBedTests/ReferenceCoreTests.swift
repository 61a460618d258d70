import FirmwareCores
import Testing

@Suite struct ReferenceCoreTests {
    private typealias Completion = PluggedDevice.Completion
    private let device = PluggedDevice(core: ReferenceCore())

    /// Sends an OUT transfer and answers what an IN transfer that was waiting got.
    private func exchange(_ bytes: [UInt8], from endpoint: UInt8 = 0x82, capacity: Int = 4096) -> [Completion] {
        device.submitIn(1, endpoint: endpoint, capacity: capacity)
        device.submitOut(2, endpoint: 0x02, bytes: bytes, at: .zero)
        return device.drainCompletions().filter { $0.0 == 1 }.map(\.1)
    }

    @Test(
        arguments: [
            ([0x01, 0x10, 0x20], [0x10, 0x20]),
            ([0x02, 0x05], [0xA5, 0xA5, 0xA5, 0xA5, 0xA5]),
            ([0x02, 0x00], []),
            ([0x01] + [UInt8](repeating: 7, count: 2000), [UInt8](repeating: 7, count: 2000)),
        ] as [([UInt8], [UInt8])])
    func `bulk commands answer on the bulk endpoint`(command: [UInt8], answer: [UInt8]) {
        #expect(exchange(command) == [.done(answer)])
    }

    @Test func `a notification comes on the interrupt endpoint`() {
        #expect(exchange([0x05], from: 0x83, capacity: 8) == [.done([0x50, 0x03])])
    }

    @Test(arguments: [[0x04], [0x99], []] as [[UInt8]])
    func `silence and unknown commands answer nothing`(command: [UInt8]) {
        #expect(exchange(command).isEmpty)
        #expect(device.nextDue == nil)
    }

    @Test func `a halted endpoint stalls until the halt is cleared`() {
        #expect(exchange([0x03]) == [.stalled])
        device.submitIn(5, endpoint: 0x82, capacity: 512)
        #expect(device.drainCompletions().map(\.1) == [.stalled])
        device.clearHalt(0x82)
        #expect(exchange([0x01, 0xAA]) == [.done([0xAA])])
    }

    @Test func `a port reset clears halts`() {
        #expect(exchange([0x03]) == [.stalled])
        device.busReset()
        #expect(exchange([0x01, 0xAA]) == [.done([0xAA])])
    }

    @Test func `the late answer comes after 150 ms and not before`() {
        #expect(exchange([0x07]).isEmpty)
        #expect(device.nextDue == .milliseconds(150))
        device.advance(to: .milliseconds(149))
        #expect(device.drainCompletions().isEmpty)
        device.advance(to: .milliseconds(150))
        #expect(device.drainCompletions().map(\.1) == [.done(Array("late".utf8))])
    }

    @Test func `it leaves after 50 ms, ending transfers, and returns after 300 ms more`() {
        #expect(exchange([0x06]).isEmpty)
        device.advance(to: .milliseconds(50))
        #expect(device.drainCompletions().map(\.1) == [.gone])
        #expect(device.drainPlugEvents() == [.unplug])
        device.advance(to: .milliseconds(349))
        #expect(device.drainPlugEvents().isEmpty)
        device.advance(to: .milliseconds(350))
        #expect(device.drainPlugEvents() == [.plug])
        #expect(device.nextDue == nil)
        #expect(exchange([0x01, 0x01]) == [.done([0x01])])
    }

    @Test(
        arguments: [
            (0xC0, 0x01, Completion.done(Array("FW-1.2.3".utf8))), (0x40, 0x02, .done([])), (0xC0, 0x02, .stalled),
            (0x40, 0x01, .stalled),
        ] as [(UInt8, UInt8, PluggedDevice.Completion)])
    func `vendor requests`(type: UInt8, request: UInt8, completion: PluggedDevice.Completion) {
        let setup = SetupPacket(requestType: type, request: request, value: 0, index: 0, length: 64)
        device.submitControl(1, setup: setup, data: [], at: .zero)
        #expect(device.drainCompletions().map(\.1) == [completion])
    }

    @Test func `descriptors are whole and name its three endpoints`() {
        let descriptors = ReferenceCore().descriptors
        #expect(descriptors.device.count == 18)
        #expect(descriptors.configuration.count == 39)
        #expect(descriptors.vendorId == 0x1209)
        #expect(descriptors.productId == 0x0001)
        #expect([0x02, 0x82, 0x83].map { descriptors.maxPacketSize(of: $0) } == [512, 512, 8])
    }

    @Test func `a transfer that is taken back keeps the full packets that had come`() {
        device.submitIn(1, endpoint: 0x82, capacity: 4096)
        device.submitOut(2, endpoint: 0x02, bytes: [0x01] + [UInt8](repeating: 3, count: 512), at: .zero)
        #expect(device.takeBack(1) == [UInt8](repeating: 3, count: 512))
        #expect(device.takeBack(1) == nil)
    }

    @Test func `steering is refused with the command`() {
        #expect(device.steer("dance", at: .zero) == "the reference reader does not understand 'dance'")
    }
}
