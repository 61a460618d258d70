import FirmwareCores
import InProcessMock
import ReaderWire
import Readers
import Transport
import USBDescriptors

/// A reader and a card in this process: the firmware that the mock hardware uses, behind the driver that real readers use.
struct SimulatedReaderSource: ReaderSource {
    private let device: InProcessDevice
    private let clock: any MonotonicClock
    private let reader: FoundReader

    /// - Parameters:
    ///   - card: a profile's name; `:tapped` or `:swiped` after it says how the card comes, else it is inserted.
    ///   - family: ccid, neo2, qpos or mpi; nil: ccid.
    init(card: String, family name: String? = nil, clock: any MonotonicClock) throws(CommandFailure) {
        let family = name.flatMap(ReaderFamily.init) ?? .ccid
        let parts = card.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard let profile = parts.first, parts.count <= 2, CardProfile.named(profile) != nil else {
            throw CommandFailure(
                .usage, "There is no simulated card '\(card)'. 'readerctl simulate --list' lists them.")
        }
        var options = ["card": profile]
        if parts.count == 2 {
            guard family != .ccid, ["inserted", "tapped", "swiped"].contains(parts[1]) else {
                throw CommandFailure(
                    .usage,
                    "The simulated card cannot come like that: '\(parts[1])'. With --simulate-reader neo2, qpos or mpi "
                        + "it can be inserted, tapped or swiped.")
            }
            options["entry"] = parts[1]
        }
        do throws(CoreOptionError) {
            device = try Self.makeDevice(family, options, clock)
        } catch {
            throw CommandFailure(.internalError, "The simulated reader cannot be made: \(error)")
        }
        reader = FoundReader(
            id: "simulated:\(family.rawValue)", family: family,
            model: "ReaderKit Simulated \(family.rawValue.uppercased()) Reader", link: .simulated)
        self.clock = clock
    }

    private static func makeDevice(
        _ family: ReaderFamily, _ options: [String: String], _ clock: any MonotonicClock
    ) throws(CoreOptionError) -> InProcessDevice {
        switch family {
        case .ccid: InProcessDevice(core: try CCIDReaderCore.make(options: options), clock: clock)
        case .neo2: InProcessDevice(core: try NEO2HIDCore.make(options: options), clock: clock)
        case .qpos: InProcessDevice(serial: try QPOSFirmware.make(options: options), clock: clock)
        case .mpi: InProcessDevice(serial: try MPIFirmware.make(options: options), clock: clock)
        }
    }

    func scan() async throws(ReaderError) -> [FoundReader] { [reader] }

    func open(_ reader: FoundReader, until deadline: Deadline) async throws(ReaderError) -> OpenedReader {
        let model = self.reader.model
        switch self.reader.family {
        case nil:
            throw ReaderError(.unsupported, during: "opening the reader")
        case .ccid:
            guard let (descriptor, interfaceNumber) = ccidPart else {
                throw ReaderError(.unsupported, during: "opening the reader")
            }
            return .channel(
                try await CCIDReader.open(
                    device.open(), descriptor: descriptor, interfaceNumber: interfaceNumber, model: model,
                    clock: clock, until: deadline))
        case .neo2:
            return .kernel(
                try await NEO2Reader.open(device.open(), form: .hid, model: model, clock: clock, until: deadline))
        case .qpos:
            return .kernel(
                try await QPOSReader.open(device.openStream(), model: model, clock: clock, until: deadline))
        case .mpi:
            return .kernel(
                try await MPIReader.open(device.openStream(), model: model, clock: clock, until: deadline))
        }
    }

    func inspect(_ reader: FoundReader) async -> ReaderInspection {
        guard self.reader.family == .ccid else {
            return ReaderInspection(capabilities: ["kernel", "contact", "contactless", "stripe", "sred"])
        }
        guard let (descriptor, _) = ccidPart else { return ReaderInspection() }
        return ReaderInspection(
            capabilities: ["contact", "level:\(descriptor.exchangeLevel.rawValue)", "t=0", "t=1", "slot-events"])
    }

    func holder(of reader: FoundReader) async -> String? { nil }

    func changes() async throws(ReaderError) -> AsyncStream<Void> {
        AsyncStream(after: device.events())
    }

    func close() async {}

    private var ccidPart: (CCIDClassDescriptor, UInt8)? {
        let bytes = device.descriptors
        guard let configuration = try? ConfigurationDescriptor(parsing: bytes.configuration),
            let interface = configuration.interfaces.first(where: { $0.interfaceClass == 0x0B }),
            let descriptor = interface.classDescriptor(type: CCIDClassDescriptor.descriptorType)
                .flatMap(CCIDClassDescriptor.init(parsing:))
        else { return nil }
        return (descriptor, interface.number)
    }
}
