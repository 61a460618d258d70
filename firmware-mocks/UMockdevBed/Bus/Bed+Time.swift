import FirmwareCores

/// What happens of its own accord: answers that are late, devices that leave, faults that wear off.
extension Bed {
    /// What to wait for, and how long (milliseconds, -1: for ever).
    func pollSet() -> (descriptors: [Int32], timeout: Int32) {
        let listeners = devices.compactMap(\.attachment) + retired.map(\.attachment)
        let descriptors = listeners.map(\.listener.descriptor) + Array(nodes.keys)
        guard let first = nextDue else { return (descriptors, -1) }
        // Rounded up: waking too early would only mean waiting again.
        let milliseconds = max(.zero, first - now()) / .milliseconds(1)
        return (descriptors, Int32(min(milliseconds.rounded(.up), 60_000)))
    }

    private var nextDue: Duration? {
        var due = retired.map(\.due)
        for device in devices {
            due += [device.plugged.nextDue, device.attachment?.accessDue].compactMap(\.self)
            due += device.scheduled.map(\.due)
        }
        for node in nodes.values {
            due += [node.delayed.first?.due, node.heldDue].compactMap(\.self)
        }
        return due.min()
    }

    /// Time has passed.
    func advance() {
        let time = now()
        for device in devices { advance(device, to: time) }
        for node in Array(nodes.values) {
            if let due = node.heldDue, due <= time {
                passOnHeld(of: node)
                settle(node.device)
            }
            node.releaseDelayed(until: time)
            updateGate(of: node.attachment)
        }
        for old in retired where old.due <= time { old.attachment.listener.close() }
        retired.removeAll { $0.due <= time }
    }

    private func advance(_ device: MockedDevice, to time: Duration) {
        let commands = device.scheduled.filter { $0.due <= time }.sorted { $0.due < $1.due }
        device.scheduled.removeAll { $0.due <= time }
        for command in commands { _ = steerBus(device, command.words) }
        if let due = device.plugged.nextDue, due <= time {
            device.plugged.advance(to: time)
            settle(device)
        }
        if let attachment = device.attachment, let due = attachment.accessDue, due <= time {
            grantAccess(attachment)
        }
    }
}
