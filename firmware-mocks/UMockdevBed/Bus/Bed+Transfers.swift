import FirmwareCores
import Glibc

extension Bed {
    /// Gives every completion of the device to the open node that waits for it.
    func distributeCompletions(of device: MockedDevice) {
        for (id, completion) in device.plugged.drainCompletions() {
            guard let node = routes.removeValue(forKey: id),
                let index = node.pending.firstIndex(where: { $0.id == id })
            else { continue }
            let entry = node.pending.remove(at: index)
            for part in entry.earlierParts {
                guard let place = node.pending.firstIndex(where: { $0.id == part }) else { continue }
                routes[part] = nil
                finish(node.pending.remove(at: place), on: node, with: completion)
            }
            finish(entry, on: node, with: completion)
            updateGate(of: node.attachment)
        }
    }

    /// Hands a request to the device.
    func submit(_ block: RequestBlock, buffer: [UInt8], on node: OpenNode) -> Int32? {
        let plugged = node.device.plugged
        let id = nextTransfer
        var entry = OpenNode.Pending(id: id, block: block, target: block.buffer)
        switch block.kind {
        case .control:
            guard let setup = SetupPacket(buffer), block.bufferLength >= 8 + Int(setup.length) else { return EINVAL }
            entry.target = block.buffer &+ 8
            entry.outLength = setup.isIn ? nil : Int(setup.length)
            register(entry, on: node)
            let data = setup.isIn ? [] : Array(buffer.dropFirst(8).prefix(Int(setup.length)))
            plugged.submitControl(id, setup: setup, data: data, at: now())
        case .bulk, .interrupt:
            guard plugged.core.descriptors.maxPacketSize(of: block.endpoint) != nil else { return ENOENT }
            if !hasClaimed(block.endpoint, node) {
                // The kernel claims it then, and warns.
                complain("a transfer on endpoint \(block.endpoint), whose interface was not claimed")
            }
            entry.outLength = block.isIn ? nil : block.bufferLength
            register(entry, on: node)
            if block.isIn {
                plugged.submitIn(id, endpoint: block.endpoint, capacity: block.bufferLength)
            } else {
                hold(id, block, buffer, on: node)
            }
        }
        settle(node.device)
        return nil
    }

    /// Takes a request back. False when it has completed, or was never submitted.
    func discard(address: UInt, on node: OpenNode) -> Bool {
        if let index = node.pending.firstIndex(where: { $0.block.address == address }) {
            withdraw(index, on: node, status: -ENOENT)
            return true
        }
        if let index = node.delayed.firstIndex(where: { $0.block.block.address == address }) {
            var block = node.delayed.remove(at: index).block
            (block.status, block.data, block.actualLength) = (-ENOENT, [], 0)
            node.completed.append(block)
            updateGate(of: node.attachment)
            return true
        }
        return false
    }

    /// An interface is released: usbfs takes its requests back.
    func discardRequests(of interface: UInt32, on node: OpenNode) {
        let endpoints = node.attachment.record.interfaces.filter { UInt32($0.number) == interface }.flatMap(\.endpoints)
        while let index = node.pending.firstIndex(where: { endpoints.contains($0.block.endpoint) }) {
            withdraw(index, on: node, status: -ENOENT)
        }
    }

    private func hasClaimed(_ endpoint: UInt8, _ node: OpenNode) -> Bool {
        let interface = node.attachment.record.interfaces.first { $0.endpoints.contains(endpoint) }
        return interface.map { node.attachment.claims[UInt32($0.number)] == node.descriptor } ?? true
    }

    private func register(_ entry: OpenNode.Pending, on node: OpenNode) {
        nextTransfer += 1
        routes[entry.id] = node
        node.pending.append(entry)
    }

    private func withdraw(_ index: Int, on node: OpenNode, status: Int32) {
        let entry = node.pending.remove(at: index)
        routes[entry.id] = nil
        node.held.removeAll { $0.id == entry.id }
        let received = node.device.plugged.takeBack(entry.id) ?? []
        let completed = CompletedBlock(
            block: entry.block, status: status, data: received, target: entry.target, actualLength: received.count)
        node.completed.append(completed)
        updateGate(of: node.attachment)
    }

    private func finish(_ entry: OpenNode.Pending, on node: OpenNode, with completion: PluggedDevice.Completion) {
        var completed = CompletedBlock(block: entry.block, status: 0, data: [], target: entry.target, actualLength: 0)
        switch completion {
        case .done(let bytes):
            completed.data = bytes
            completed.actualLength = entry.outLength ?? bytes.count
            if entry.block.isShortAnError, bytes.count < entry.block.bufferLength, entry.block.isIn {
                completed.status = -EREMOTEIO
            }
        case .stalled:
            completed.status = -EPIPE
        case .overflow:
            completed.status = -EOVERFLOW
        case .gone:
            completed.status = -ESHUTDOWN
            node.releaseDelayed(until: nil)
        }
        if completion != .gone, let fault = node.device.faults.take(.urb) {
            (completed.status, completed.data, completed.actualLength) = (-fault, [], 0)
        }
        let delay = node.device.faults.delay
        if completion == .gone || (delay == .zero && node.delayed.isEmpty) {
            node.completed.append(completed)
        } else {
            let earliest = node.delayed.last?.due ?? .zero
            node.delayed.append((max(earliest, now() + delay), completed))
        }
        if completed.status < 0, completion != .gone { cancelContinuations(of: entry.block, on: node) }
    }

    /// A block of a split transfer has ended early: usbfs cancels the blocks that continue it.
    private func cancelContinuations(of block: RequestBlock, on node: OpenNode) {
        while let index = node.pending.firstIndex(where: { $0.block.endpoint == block.endpoint }),
            node.pending[index].block.isContinuation
        {
            withdraw(index, on: node, status: -ECONNRESET)
        }
    }
}
