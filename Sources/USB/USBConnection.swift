internal import CLibUSB
import Synchronization
public import Transport
public import USBDescriptors

/// An open device with one interface claimed, as a `Transport`: bulk OUT, bulk IN, interrupt IN and control, all by
/// asynchronous transfers. On an interface without bulk pipes (HID) the dialogue is on interrupt OUT and IN, and there
/// are no events. Deadlines are instants of `SystemMonotonicClock`.
///
/// A receive asks libusb for whole packets, so a device that sends more than the caller asked for is `.overflow` and
/// never a corrupted pipe.
public final class USBConnection: Transport, Sendable {
    /// One transfer is at most this long, bytes; a longer receive is cut to it.
    public static let maximumTransfer = 1 << 20

    public let traits: TransportTraits
    public let address: USBDeviceAddress
    /// The claimed interface with its endpoints and class descriptors.
    public let interface: InterfaceDescriptor

    private let handle: DeviceHandle
    private let pipes: DataPipes
    private let worker: BlockingWorker
    private let loop: EventLoop
    private let context: USBContext
    private let state = Mutex(ConnectionState())

    init(
        _ handle: DeviceHandle, at address: USBDeviceAddress, pipes: DataPipes, options: USBOpenOptions,
        worker: BlockingWorker, loop: EventLoop, context: USBContext
    ) {
        self.handle = handle
        self.address = address
        self.pipes = pipes
        self.worker = worker
        self.loop = loop
        self.context = context
        interface = handle.interface
        traits = TransportTraits(
            packetSize: pipes.into.maxPacketSize, hasEvents: pipes.event != nil, hasControl: true,
            endsTransfersWithZeroLengthPacket: options.endsTransfersWithZeroLengthPacket)
    }

    public func send(_ bytes: [UInt8], until deadline: Deadline) async throws(TransportError) {
        guard bytes.count <= Self.maximumTransfer else {
            throw TransportError(.unsupported, during: "send", underlying: "more than 1 MiB at once")
        }
        // A request whose time is over must not reach the device after all.
        guard !deadline.hasPassed(on: SystemMonotonicClock.shared) else {
            throw TransportError(.timedOut, during: "send")
        }
        _ = try await transfer("send", capacity: bytes.count, until: deadline) { slot in
            slot.memory.store(bytes, at: 0)
            slot.memory.fill(
                endpoint: pipes.out.address, type: pipes.transferType, length: bytes.count, on: handle,
                endsWithZeroLengthPacket: traits.endsTransfersWithZeroLengthPacket && !bytes.isEmpty)
        }
    }

    public func receive(atMost count: Int, until deadline: Deadline) async throws(TransportError) -> [UInt8] {
        try await read(count, from: pipes.into, pipes.transferType, "receive", until: deadline)
    }

    public func receiveEvent(until deadline: Deadline) async throws(TransportError) -> [UInt8] {
        guard let event = pipes.event else { throw TransportError(.unsupported, during: "receive event") }
        return try await read(
            event.maxPacketSize, from: event, LIBUSB_TRANSFER_TYPE_INTERRUPT, "receive event", until: deadline)
    }

    public func control(_ request: ControlRequest, until deadline: Deadline) async throws(TransportError) -> [UInt8] {
        let data = request.isDeviceToHost ? [] : request.data
        guard let length = UInt16(exactly: request.isDeviceToHost ? Int(request.expectedLength) : data.count) else {
            throw TransportError(.unsupported, during: "control", underlying: "more than 65535 bytes")
        }
        let (value, index) = (request.value, request.index)
        let setup: [UInt8] = [
            request.requestType, request.request,
            UInt8(value & 0xFF), UInt8(value >> 8), UInt8(index & 0xFF), UInt8(index >> 8),
            UInt8(length & 0xFF), UInt8(length >> 8),
        ]
        let size = setup.count + Int(length)
        let bytes = try await transfer("control", capacity: size, until: deadline, dataOffset: setup.count) { slot in
            slot.memory.store(setup, at: 0)
            slot.memory.store(data, at: setup.count)
            slot.memory.fill(endpoint: 0, type: LIBUSB_TRANSFER_TYPE_CONTROL, length: size, on: handle)
        }
        return request.isDeviceToHost ? bytes : []
    }

    /// Clears the halt of a pipe. The kernel bounds it (five seconds); it is not cut short at the deadline.
    public func clearStall(_ direction: TransportDirection, until deadline: Deadline) async throws(TransportError) {
        let endpoint: EndpointDescriptor? =
            switch direction {
            case .send: pipes.out
            case .receive: pipes.into
            case .event: pipes.event
            }
        guard let endpoint else { throw TransportError(.unsupported, during: "clear stall") }
        try begin("clear stall")
        let handle = handle
        let outcome = await worker.run {
            Result { () throws(LibUSBError) in try handle.clearHalt(endpoint.address) }
        }
        if case .failure(.noDevice) = outcome { state.withLock { $0.isGone = true } }
        endOperation()
        if case .failure(let error) = outcome { throw error.transportError(during: "clear stall") }
    }

    public func close() async {
        await withCheckedContinuation { continuation in
            let (step, busy) = state.withLock { state in
                let step = state.beginClosing(continuation)
                return (step, Array(state.busySlots.values))
            }
            guard step.mustWait else { return continuation.resume() }
            for slot in busy { slot.requestCancel(.closed, on: loop) }
            if step.isReady { release() }
        }
    }

    private func read(
        _ count: Int, from endpoint: EndpointDescriptor, _ type: libusb_transfer_type, _ operation: String,
        until deadline: Deadline
    ) async throws(TransportError) -> [UInt8] {
        let packet = endpoint.maxPacketSize
        let asked = min(max(count, 0), Self.maximumTransfer)
        let size = max(1, (asked + packet - 1) / packet) * packet
        let bytes = try await transfer(operation, capacity: size, until: deadline) { slot in
            slot.memory.fill(endpoint: endpoint.address, type: type, length: size, on: handle)
        }
        // More than was asked for fits only because the buffer was rounded up to whole packets.
        guard bytes.count <= max(count, 0) else { throw TransportError(.overflow, during: operation) }
        return bytes
    }

    /// One transfer from taking a slot to giving it back. Returns what an IN transfer brought.
    private func transfer(
        _ operation: String, capacity: Int, until deadline: Deadline, dataOffset: Int = 0,
        fill: (TransferSlot) -> Void
    ) async throws(TransportError) -> [UInt8] {
        let slot = try takeSlot(operation, capacity: capacity, until: deadline)
        fill(slot)
        let result = await slot.run(on: loop)
        let isIn = slot.memory.isIn
        let bytes = isIn ? slot.memory.load(result.actual, from: dataOffset) : []
        slot.memory.wipe(dataOffset + (isIn ? result.actual : capacity))
        let outcome = result.outcome(during: operation, bytes: bytes)
        if case .failure(let error) = outcome, error.code == .gone { state.withLock { $0.isGone = true } }
        giveBack(slot)
        return try outcome.get()
    }

    private func takeSlot(
        _ operation: String, capacity: Int, until deadline: Deadline
    ) throws(TransportError) -> TransferSlot {
        let idle = try state.withLock { state throws(TransportError) in
            try state.begin(operation)
            let slot = state.takeIdleSlot(capacity: capacity)
            slot?.prepare(until: deadline)
            return slot
        }
        if let idle { return idle }
        do throws(LibUSBError) {
            let slot = try TransferSlot(capacity: capacity)
            slot.prepare(until: deadline)
            loop.add(slot)
            let isClosing = state.withLock { state in
                state.adopt(slot)
                return state.phase != .open
            }
            if isClosing { slot.requestCancel(.closed, on: loop) }
            return slot
        } catch {
            endOperation()
            throw error.transportError(during: operation)
        }
    }

    private func giveBack(_ slot: TransferSlot) {
        if let surplus = state.withLock({ $0.giveBack(slot) }) { loop.remove([surplus]) }
        endOperation()
    }

    private func begin(_ operation: String) throws(TransportError) {
        try state.withLock { state throws(TransportError) in try state.begin(operation) }
    }

    private func endOperation() {
        if state.withLock({ $0.end() }) { release() }
    }

    /// The last step of closing, when nothing is in flight any more: runs on the worker, which then ends.
    private func release() {
        worker.enqueue { [self] in
            handle.close()
            loop.remove(state.withLock { $0.allSlots })
            context.forget(ObjectIdentifier(self))
            let closers = state.withLock { $0.finishClosing().closers }
            worker.stop()
            for closer in closers { closer.resume() }
        }
    }
}
