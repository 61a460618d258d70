import FirmwareCores
import Glibc

/// How an ioctl ends: its result, or -1 with an errno.
enum IoctlAnswer {
    case success(Int)
    case failure(Int32)
}

extension Bed {
    /// Plays usbfs for one call of the client.
    func answer(
        _ call: ClientChannel.Call, on node: OpenNode, through channel: inout ClientChannel
    ) throws(ClientChannel.Broken) -> IoctlAnswer {
        guard call.command == ClientChannel.ioctl else {
            complain("\(node.device.port): the client read or wrote the node itself (command \(call.command))")
            return .failure(EINVAL)
        }
        guard let code = IoctlCode(rawValue: UInt32(truncatingIfNeeded: call.first)) else {
            complain("\(node.device.port): unknown ioctl 0x\(FixedWidth.hexadecimal(call.first, digits: 8))")
            return .failure(ENOTTY)
        }
        let argument = call.second
        if code == .reap || code == .reapNoDelay { return try reap(on: node, to: argument, through: &channel) }
        if node.attachment.isGone { return .failure(ENODEV) }
        switch code {
        case .submit:
            return try submit(at: argument, on: node, through: &channel)
        case .discard:
            return discard(address: argument, on: node) ? .success(0) : .failure(EINVAL)
        case .getCapabilities:
            if let fault = node.device.faults.take(.capabilities) { return .failure(fault) }
            try channel.setMemory(at: argument, to: bytes(of: node.device.faults.capabilities))
            return .success(0)
        case .clearHalt, .resetEndpoint:
            let endpoint = try word(at: argument, through: &channel)
            if let fault = node.device.faults.take(.clearHalt) { return .failure(fault) }
            node.device.plugged.clearHalt(UInt8(truncatingIfNeeded: endpoint))
            settle(node.device)
            return .success(0)
        case .setInterface:
            return fault(.setInterface, on: node)
        case .setConfiguration:
            return fault(.setConfiguration, on: node)
        case .reset:
            if let fault = node.device.faults.take(.reset) { return .failure(fault) }
            node.device.plugged.busReset()
            settle(node.device)
            return .success(0)
        case .claimInterface, .releaseInterface, .getDriver, .interfaceIoctl, .disconnectClaim:
            return try answerOwnership(code, argument, on: node, through: &channel)
        case .control, .bulk, .connectInfo, .getSpeed, .terminalSettings, .reap, .reapNoDelay:
            // Known, and not used by the libusb this was written for: it copes with ENOTTY.
            return .failure(ENOTTY)
        }
    }

    private func fault(_ operation: BusFaults.Operation, on node: OpenNode) -> IoctlAnswer {
        node.device.faults.take(operation).map { .failure($0) } ?? .success(0)
    }

    private func submit(
        at address: UInt, on node: OpenNode, through channel: inout ClientChannel
    ) throws(ClientChannel.Broken) -> IoctlAnswer {
        let bytes = try channel.memory(at: address, count: RequestBlock.size)
        guard let block = RequestBlock(address: address, bytes: bytes) else {
            if bytes.first == 0 { complain("\(node.device.port): isochronous transfers are not modelled") }
            return .failure(EINVAL)
        }
        if let fault = node.device.faults.take(.submit) { return .failure(fault) }
        let carriesData = block.kind == .control || !block.isIn
        let buffer = carriesData ? try channel.memory(at: block.buffer, count: block.bufferLength) : []
        return submit(block, buffer: buffer, on: node).map { .failure($0) } ?? .success(0)
    }

    /// Never waits. The gate closes before the client hears the answer.
    private func reap(
        on node: OpenNode, to argument: UInt, through channel: inout ClientChannel
    ) throws(ClientChannel.Broken) -> IoctlAnswer {
        guard !node.completed.isEmpty else { return .failure(node.attachment.isGone ? ENODEV : EAGAIN) }
        let done = node.completed.removeFirst()
        updateGate(of: node.attachment)
        let address = done.block.address
        try channel.setMemory(at: done.target, to: done.data)
        try channel.setMemory(at: address &+ RequestBlock.statusOffset, to: bytes(of: UInt32(bitPattern: done.status)))
        try channel.setMemory(
            at: address &+ RequestBlock.actualLengthOffset, to: bytes(of: UInt32(truncatingIfNeeded: done.actualLength))
        )
        try channel.setMemory(at: argument, to: withUnsafeBytes(of: address) { Array($0) })
        return .success(0)
    }

    private func word(at address: UInt, through channel: inout ClientChannel) throws(ClientChannel.Broken) -> UInt32 {
        Self.word(in: try channel.memory(at: address, count: 4), at: 0)
    }

    static func word(in bytes: [UInt8], at offset: Int) -> UInt32 {
        bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt32.self) }
    }

    private func bytes(of value: UInt32) -> [UInt8] {
        withUnsafeBytes(of: value) { Array($0) }
    }
}
