import FirmwareCores
import Synchronization
public import Transport

/// A connection to a mock device in this process, with the endpoints that its configuration descriptor names: the first
/// bulk OUT, the first bulk IN and, if there is one, the first interrupt IN. Without bulk pipes the interrupt pipes carry
/// the dialogue.
public final class InProcessTransport: Transport {
    public let traits: TransportTraits

    private let device: InProcessDevice
    private let stay: Int
    private let endpoints: EndpointSet
    private let link = Mutex(Link())

    private struct Link {
        var isClosed = false
        /// Transfers that this transport has submitted and not seen the end of.
        var transfers: Set<UInt64> = []
    }

    init(device: InProcessDevice, stay: Int, descriptors: DeviceDescriptors) {
        self.device = device
        self.stay = stay
        endpoints = EndpointSet(descriptors)
        traits = TransportTraits(
            packetSize: endpoints.dataIn.flatMap(descriptors.maxPacketSize(of:)) ?? 64,
            hasEvents: endpoints.events != nil, hasControl: true)
    }

    public func send(_ bytes: [UInt8], until deadline: Deadline) async throws(TransportError) {
        guard let endpoint = endpoints.dataOut else { throw TransportError(.unsupported, during: "send") }
        _ = try await run("send", .out, carrying: bytes, until: deadline) { device, id, carried, now in
            device.submitOut(id, endpoint: endpoint, bytes: carried, at: now)
        }
    }

    public func receive(atMost count: Int, until deadline: Deadline) async throws(TransportError) -> [UInt8] {
        guard let endpoint = endpoints.dataIn else { throw TransportError(.unsupported, during: "receive") }
        return try await run("receive", .in, until: deadline) { device, id, _, _ in
            device.submitIn(id, endpoint: endpoint, capacity: max(0, count))
        }
    }

    public func receiveEvent(until deadline: Deadline) async throws(TransportError) -> [UInt8] {
        guard let endpoint = endpoints.events else {
            throw TransportError(.unsupported, during: "receive event")
        }
        let size = device.descriptors.maxPacketSize(of: endpoint) ?? 64
        return try await run("receive event", .event, until: deadline) { device, id, _, _ in
            device.submitIn(id, endpoint: endpoint, capacity: size)
        }
    }

    public func control(_ request: ControlRequest, until deadline: Deadline) async throws(TransportError) -> [UInt8] {
        let length =
            request.isDeviceToHost ? request.expectedLength : UInt16(truncatingIfNeeded: request.data.count)
        let setup = SetupPacket(
            requestType: request.requestType, request: request.request, value: request.value, index: request.index,
            length: length)
        return try await run("control", .control, carrying: request.data, until: deadline) { device, id, carried, now in
            device.submitControl(id, setup: setup, data: carried, at: now)
        }
    }

    public func clearStall(_ direction: TransportDirection, until deadline: Deadline) async throws(TransportError) {
        let address =
            switch direction {
            case .send: endpoints.dataOut
            case .receive: endpoints.dataIn
            case .event: endpoints.events
            }
        guard let address else { throw TransportError(.unsupported, during: "clear stall") }
        _ = try await control(
            ControlRequest(requestType: 0x02, request: 0x01, value: 0, index: UInt16(address)), until: deadline)
    }

    public func close() async {
        device.withdraw {
            link.withLock { link in
                link.isClosed = true
                return link.transfers
            }
        }
    }

    private typealias Submission = @Sendable (PluggedDevice, UInt64, [UInt8], Duration) -> Void

    /// One transfer from its submission to its end.
    private func run(
        _ operation: String, _ kind: TransferNote.Kind, carrying bytes: [UInt8] = [], until deadline: Deadline,
        submit: Submission
    ) async throws(TransportError) -> [UInt8] {
        try check(operation)
        if Task.isCancelled { throw TransportError(.cancelled, during: operation) }
        if deadline.hasPassed(on: device.clock) { throw TransportError(.timedOut, during: operation) }
        let (number, carried) = device.announce(kind, bytes)
        try check(operation)
        guard let id = device.submit(begin: begin, { device, id, now in submit(device, id, carried, now) }) else {
            throw TransportError(.closed, during: operation)
        }
        let ticket = device.makeTicket()
        defer {
            link.withLock { _ = $0.transfers.remove(id) }
            device.retire(ticket)
        }
        while true {
            let version = device.advance()
            if let ending = device.takeResult(id) {
                let arrived = try Self.outcome(ending, operation)
                return kind == .out ? [] : device.report(kind, number, arrived)
            }
            // The transfer may have completed since: then its data wins.
            if let reason = reasonToEnd(deadline), let partial = device.takeBack(id) {
                throw TransportError(reason, during: operation, partial: partial)
            }
            await device.pause(ticket, version: version, until: deadline)
        }
    }

    private func begin(_ id: UInt64) -> Bool {
        link.withLock { link in
            guard !link.isClosed else { return false }
            link.transfers.insert(id)
            return true
        }
    }

    private func check(_ operation: String) throws(TransportError) {
        if link.withLock({ $0.isClosed }) { throw TransportError(.closed, during: operation) }
        guard device.isPresent(stay) else { throw TransportError(.gone, during: operation) }
    }

    private func reasonToEnd(_ deadline: Deadline) -> TransportError.Code? {
        if Task.isCancelled { return .cancelled }
        return deadline.hasPassed(on: device.clock) ? .timedOut : nil
    }

    private static func outcome(
        _ ending: InProcessDevice.Ending, _ operation: String
    ) throws(TransportError) -> [UInt8] {
        switch ending {
        case .completed(.done(let bytes)): return bytes
        case .completed(.stalled): throw TransportError(.stalled, during: operation)
        case .completed(.overflow): throw TransportError(.overflow, during: operation)
        case .completed(.gone): throw TransportError(.gone, during: operation)
        case .closed(let partial): throw TransportError(.closed, during: operation, partial: partial)
        }
    }
}
