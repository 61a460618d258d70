import FirmwareCores
import Glibc

extension Bed {
    /// How long the ioctl server of a device that has left still accepts: the preload looks for the socket's file a moment
    /// after it has opened the node, and ends the client when the file vanishes in between.
    private static let graceAfterUnplug = Duration.milliseconds(250)

    /// Puts a core at a port and plugs it in, unless `isPlugged` is false.
    func add(_ core: any FirmwareCore, at port: String, faults: BusFaults, isPlugged: Bool) throws(MockBusError) {
        guard Self.isPort(port) else { throw .refused("'\(port)' is not a port: 1-1 to 1-15") }
        if let complaint = core.descriptors.complaint { throw .refused(complaint) }
        if let present = device(at: port) {
            guard !present.plugged.isPlugged else { throw .refused("port \(port) is taken") }
            devices.removeAll { $0 === present }
        }
        let device = MockedDevice(port: port, core: core)
        device.faults = faults
        if isPlugged {
            try attach(device)
        } else {
            _ = device.plugged.steer("unplug", at: now())
            _ = device.plugged.drainPlugEvents()
        }
        devices.append(device)
    }

    /// The first port that no device has been put at.
    func freePort() throws(MockBusError) -> String {
        for number in 1...15 where device(at: "1-\(number)") == nil { return "1-\(number)" }
        throw .refused("all 15 ports are taken")
    }

    func device(at port: String) -> MockedDevice? {
        devices.first { $0.port == port }
    }

    func steer(port: String, command: String) throws(MockBusError) {
        guard let device = device(at: port) else { throw .refused("there is no device at port '\(port)'") }
        let words = command.split(separator: " ").map(String.init)
        guard let verb = words.first else { throw .refused("the command is empty") }
        let complaint: String?
        if BusFaults.commands.contains(verb) {
            complaint = steerBus(device, words)
        } else if verb == "after", words.count > 2, BusFaults.commands.contains(words[2]) {
            complaint = scheduleBus(device, words)
        } else {
            complaint = device.plugged.steer(words.joined(separator: " "), at: now())
            settle(device)
        }
        if let complaint { throw .refused(complaint) }
    }

    /// A command that the bus understands, at once. Answers nil, or what was wrong with it.
    func steerBus(_ device: MockedDevice, _ words: [String]) -> String? {
        let complaint = device.faults.steer(words)
        if words.first == "driver", let attachment = device.attachment, attachment.claims.isEmpty {
            unbindDriver(of: device)
            bindDriver(of: device)
        }
        return complaint
    }

    /// `after MS` in front of a command that the bus understands; the device itself knows it for all others.
    private func scheduleBus(_ device: MockedDevice, _ words: [String]) -> String? {
        let command = Array(words.dropFirst(2))
        guard let delay = Int(words[1]), (0...86_400_000).contains(delay) else {
            return "`after` needs milliseconds and a command"
        }
        var trial = device.faults
        if let complaint = trial.steer(command) { return complaint }
        guard device.scheduled.count < 256 else { return "too many commands are waiting" }
        device.scheduled.append((now() + .milliseconds(delay), command))
        return nil
    }

    /// Carries out what the device has done: transfers first, since they end before the device leaves.
    func settle(_ device: MockedDevice) {
        distributeCompletions(of: device)
        for event in device.plugged.drainPlugEvents() {
            switch event {
            case .unplug:
                detach(device)
            case .plug:
                do throws(MockBusError) {
                    try attach(device)
                } catch {
                    complain("cannot plug in \(device.port): \(error)")
                }
            case .data, .halt:
                break
            }
        }
    }

    /// Node and ioctl socket first, then sysfs, then the events: a client may open in the very moment of the event.
    private func attach(_ device: MockedDevice) throws(MockBusError) {
        let address = DeviceAddress(port: device.port, number: try nextDeviceNumber())
        let record = DeviceRecord(
            address: address, descriptors: device.plugged.core.descriptors,
            udevProperties: device.faults.udevProperties)
        let gate = try PollGate()
        let listener: SocketListener
        do throws(MockBusError) {
            listener = try SocketListener(path: testbed.root + "/" + address.socket)
        } catch {
            gate.hangUp()
            throw error
        }
        let attachment = Attachment(record: record, listener: listener, gate: gate)
        do throws(MockBusError) {
            if device.faults.accessDenied > .zero {
                try denyAccess(attachment, until: now() + device.faults.accessDenied)
            } else {
                try testbed.link("dev/" + address.node, to: attachment.gate.path)
            }
            try testbed.link(address.nodeNumberFile, to: "189:\(address.minor)")
            try testbed.addToSys(record)
            if let tty = device.faults.tty { try testbed.add(tty, of: record) }
            if let driver = device.faults.driver { try testbed.bind(record, to: driver) }
        } catch {
            gate.hangUp()
            listener.close()
            if let tty = device.faults.tty { testbed.remove(tty) }
            testbed.removeFromSys(record)
            throw error
        }
        attachment.tty = device.faults.tty
        attachment.boundDriver = device.faults.driver
        device.attachment = attachment
        broadcast("add", record, properties: record.eventProperties, below: "")
        for interface in record.interfaces {
            let name = "/" + address.interfaceName(interface.number)
            broadcast("add", record, properties: record.properties(of: interface), below: name)
        }
        if let tty = attachment.tty { broadcast("add", tty, of: record) }
    }

    /// The driver leaves the interfaces, and its tty goes with it.
    func unbindDriver(of device: MockedDevice) {
        guard let attachment = device.attachment, attachment.boundDriver != nil else { return }
        attachment.boundDriver = nil
        testbed.unbind(attachment.record)
        if let tty = attachment.tty {
            attachment.tty = nil
            testbed.remove(tty)
            testbed.remove("sys/" + tty.sysPath(of: attachment.address))
            broadcast("remove", tty, of: attachment.record)
        }
    }

    /// The driver of the bus's option comes (back), and makes its tty.
    func bindDriver(of device: MockedDevice) {
        guard let attachment = device.attachment, let driver = device.faults.driver else { return }
        attachment.boundDriver = driver
        do throws(MockBusError) {
            if let tty = device.faults.tty, attachment.tty == nil {
                try testbed.add(tty, of: attachment.record)
                attachment.tty = tty
                broadcast("add", tty, of: attachment.record)
            }
            try testbed.bind(attachment.record, to: driver)
        } catch {
            complain("cannot bind \(driver) to \(device.port): \(error)")
        }
    }

    /// The node goes before the gate, so that nobody opens a node that is about to hang up; sysfs and the events follow.
    private func detach(_ device: MockedDevice) {
        guard let attachment = device.attachment else { return }
        let record = attachment.record
        device.attachment = nil
        testbed.remove("dev/" + record.address.node)
        testbed.remove(record.address.nodeNumberFile)
        for node in nodes.values where node.attachment === attachment {
            passOnHeld(of: node)
            node.releaseDelayed(until: nil)
        }
        distributeCompletions(of: device)
        attachment.isGone = true
        attachment.gate.hangUp()
        if let tty = attachment.tty {
            testbed.remove(tty)
            broadcast("remove", tty, of: record)
        }
        testbed.removeFromSys(record)
        for interface in record.interfaces {
            let name = "/" + record.address.interfaceName(interface.number)
            broadcast("remove", record, properties: record.properties(of: interface), below: name)
        }
        broadcast("remove", record, properties: record.eventProperties, below: "")
        retired.append(Retired(due: now() + Self.graceAfterUnplug, device: device, attachment: attachment))
    }

    /// Root may open a file of any mode, but no one may write to a read-only file below /proc/sys.
    private func denyAccess(_ attachment: Attachment, until due: Duration) throws(MockBusError) {
        let node = "dev/" + attachment.address.node
        if geteuid() == 0 {
            try testbed.link(node, to: "/proc/sys/kernel/ostype")
        } else {
            try testbed.write([], to: node, mode: 0)
        }
        attachment.accessDue = due
    }

    func grantAccess(_ attachment: Attachment) {
        attachment.accessDue = nil
        do throws(MockBusError) {
            try testbed.replace("dev/" + attachment.address.node, withLinkTo: attachment.gate.path)
        } catch {
            complain("cannot grant access: \(error)")
        }
    }

    private func broadcast(
        _ action: String, _ record: DeviceRecord, properties: [(key: String, value: String)], below: String
    ) {
        sequenceNumber += 1
        testbed.broadcast(
            Uevent(
                properties: [
                    ("ACTION", action), ("DEVPATH", "/" + record.address.sysPath + below), ("SUBSYSTEM", "usb"),
                    ("SEQNUM", "\(sequenceNumber)"),
                ] + properties))
    }

    private func broadcast(_ action: String, _ tty: TTYRecord, of record: DeviceRecord) {
        sequenceNumber += 1
        testbed.broadcast(
            Uevent(
                properties: [
                    ("ACTION", action), ("DEVPATH", "/" + tty.sysPath(of: record.address)), ("SUBSYSTEM", "tty"),
                    ("SEQNUM", "\(sequenceNumber)"),
                ] + tty.properties(of: record, devicePrefix: "/dev/")))
    }

    /// As the kernel does it: counts up to 127, then begins again, leaving out numbers in use.
    private func nextDeviceNumber() throws(MockBusError) -> Int {
        let used = Set(devices.compactMap { $0.attachment?.address.number } + retired.map(\.attachment.address.number))
        for _ in 2...127 {
            lastDeviceNumber = lastDeviceNumber < 127 ? lastDeviceNumber + 1 : 2
            if !used.contains(lastDeviceNumber) { return lastDeviceNumber }
        }
        throw .refused("all device numbers are taken")
    }

    private static func isPort(_ text: String) -> Bool {
        (1...15).contains { text == "1-\($0)" }
    }
}
