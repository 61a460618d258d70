import Glibc

/// Who holds an interface: nobody, a kernel driver (an injected fault), or an open node.
extension Bed {
    func answerOwnership(
        _ code: IoctlCode, _ argument: UInt, on node: OpenNode, through channel: inout ClientChannel
    ) throws(ClientChannel.Broken) -> IoctlAnswer {
        let attachment = node.attachment
        switch code {
        case .claimInterface:
            return claim(try interface(at: argument, through: &channel), on: node)
        case .disconnectClaim:
            let interface = try interface(at: argument, through: &channel)
            if let fault = node.device.faults.take(.detach) { return .failure(fault) }
            unbindDriver(of: node.device)
            return claim(interface, on: node)
        case .releaseInterface:
            let interface = try interface(at: argument, through: &channel)
            if let fault = node.device.faults.take(.release) { return .failure(fault) }
            guard attachment.claims[interface] == node.descriptor else { return .failure(EINVAL) }
            attachment.claims[interface] = nil
            discardRequests(of: interface, on: node)
            return .success(0)
        case .getDriver:
            let interface = try interface(at: argument, through: &channel)
            let owner = attachment.claims[interface] == nil ? attachment.boundDriver : "usbfs"
            guard let owner else { return .failure(ENODATA) }
            try channel.setMemory(at: argument &+ 4, to: Array(owner.utf8.prefix(255)) + [0])
            return .success(0)
        default:
            let request = try channel.memory(at: argument, count: 16)
            return passToDriver(Self.word(in: request, at: 4), on: node)
        }
    }

    private func claim(_ interface: UInt32, on node: OpenNode) -> IoctlAnswer {
        let attachment = node.attachment
        if let fault = node.device.faults.take(.claim) { return .failure(fault) }
        guard attachment.record.interfaces.contains(where: { UInt32($0.number) == interface }) else {
            return .failure(ENOENT)
        }
        guard attachment.boundDriver == nil, attachment.claims[interface] ?? node.descriptor == node.descriptor else {
            return .failure(EBUSY)
        }
        attachment.claims[interface] = node.descriptor
        return .success(0)
    }

    private func passToDriver(_ request: UInt32, on node: OpenNode) -> IoctlAnswer {
        switch request {
        case IoctlCode.disconnectDriver:
            if let fault = node.device.faults.take(.detach) { return .failure(fault) }
            guard node.attachment.boundDriver != nil else { return .failure(ENODATA) }
            unbindDriver(of: node.device)
            return .success(0)
        case IoctlCode.connectDriver:
            // A driver needs every interface of its function, as cdc_acm does: while one is claimed, none is bound.
            guard node.attachment.claims.isEmpty else { return .success(0) }
            bindDriver(of: node.device)
            return .success(node.attachment.boundDriver == nil ? 0 : 1)
        default:
            return .failure(ENOTTY)
        }
    }

    private func interface(
        at address: UInt, through channel: inout ClientChannel
    ) throws(ClientChannel.Broken) -> UInt32 {
        Self.word(in: try channel.memory(at: address, count: 4), at: 0)
    }
}
