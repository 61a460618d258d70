import FirmwareCores
import Glibc

/// Everything the mock knows: testbed, devices, open nodes. One lock (in `MockBus`) guards it, held for a whole step,
/// since the poll gate, the lists of requests and the files must change together. The clients' side of an ioctl is waited
/// for inside the lock: the client's thread is then doing nothing else, and a limit bounds the wait.
final class Bed {
    struct Retired {
        var due: Duration
        var device: MockedDevice
        var attachment: Attachment
    }

    let testbed: Testbed
    var devices: [MockedDevice] = []
    var nodes: [Int32: OpenNode] = [:]
    /// Ioctl servers of devices that have just left; see `detach`.
    var retired: [Retired] = []
    /// Which open node waits for which transfer.
    var routes: [PluggedDevice.TransferID: OpenNode] = [:]
    /// Things a correct client and a correct model of the kernel would not have met.
    private(set) var complaints: [String] = []
    var nextTransfer: PluggedDevice.TransferID = 1
    var sequenceNumber = 0
    var lastDeviceNumber = DeviceAddress.hub.number
    private let start: Duration

    init(testbed: Testbed) {
        self.testbed = testbed
        start = Self.monotonicTime()
    }

    /// Since the bed was built.
    func now() -> Duration { Self.monotonicTime() - start }

    func complain(_ sentence: String) {
        if complaints.count < 1000 { complaints.append(sentence) }
    }

    /// Serves what poll found ready, then whatever has become due.
    func serve(_ ready: [Int32]) {
        advance()
        for descriptor in ready {
            if let node = nodes[descriptor] {
                serve(node)
            } else if let device = devices.first(where: { $0.attachment?.listener.descriptor == descriptor }),
                let attachment = device.attachment
            {
                accept(device, attachment)
            } else if let old = retired.first(where: { $0.attachment.listener.descriptor == descriptor }) {
                accept(old.device, old.attachment)
            }
        }
    }

    func close(_ node: OpenNode) {
        for entry in node.pending {
            routes[entry.id] = nil
            _ = node.device.plugged.takeBack(entry.id)
        }
        node.attachment.claims = node.attachment.claims.filter { $0.value != node.descriptor }
        nodes[node.descriptor] = nil
        Glibc.close(node.descriptor)
        updateGate(of: node.attachment)
    }

    /// Ends everything. A client that is still there dies of it: the preload ends its program.
    func closeEverything() {
        for node in Array(nodes.values) { close(node) }
        for device in devices {
            guard let attachment = device.attachment else { continue }
            attachment.gate.hangUp()
            attachment.listener.close()
            device.attachment = nil
        }
        for old in retired { old.attachment.listener.close() }
        devices = []
        retired = []
        testbed.removeEverything()
    }

    func updateGate(of attachment: Attachment) {
        guard !attachment.isGone else { return }
        attachment.gate.set(open: nodes.values.contains { $0.attachment === attachment && !$0.completed.isEmpty })
    }

    private func accept(_ device: MockedDevice, _ attachment: Attachment) {
        while let descriptor = attachment.listener.accept() {
            ClientChannel.limitWaiting(on: descriptor)
            nodes[descriptor] = OpenNode(descriptor: descriptor, device: device, attachment: attachment)
        }
    }

    private func serve(_ node: OpenNode) {
        var channel = ClientChannel(descriptor: node.descriptor)
        switch ClientChannel.receive(from: node.descriptor) {
        case .nothingYet:
            break
        case .closed:
            close(node)
        case .call(let call):
            do throws(ClientChannel.Broken) {
                let answer = try self.answer(call, on: node, through: &channel)
                switch answer {
                case .success(let value): try channel.finish(result: value, errorNumber: 0)
                case .failure(let number): try channel.finish(result: -1, errorNumber: number)
                }
            } catch {
                close(node)
            }
        }
    }

    private static func monotonicTime() -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
