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
    private let reader = FoundReader(
        id: "simulated:ccid", family: .ccid, model: "ReaderKit Simulated CCID Reader", link: .simulated)

    init(card: String, clock: any MonotonicClock) throws(CommandFailure) {
        guard CardProfile.named(card) != nil else {
            throw CommandFailure(
                .usage, "There is no simulated card '\(card)'. 'readerctl simulate --list' lists them.")
        }
        do throws(CoreOptionError) {
            device = InProcessDevice(core: try CCIDReaderCore.make(options: ["card": card]), clock: clock)
        } catch {
            throw CommandFailure(.internalError, "The simulated reader cannot be made: \(error)")
        }
        self.clock = clock
    }

    func scan() async throws(ReaderError) -> [FoundReader] { [reader] }

    func open(_ reader: FoundReader, until deadline: Deadline) async throws(ReaderError) -> OpenedReader {
        guard let (descriptor, interfaceNumber) = ccidPart else {
            throw ReaderError(.unsupported, during: "opening the reader")
        }
        let opened = try await CCIDReader.open(
            device.open(), descriptor: descriptor, interfaceNumber: interfaceNumber, model: self.reader.model,
            clock: clock, until: deadline)
        return .channel(opened)
    }

    func inspect(_ reader: FoundReader) async -> ReaderInspection {
        guard let (descriptor, _) = ccidPart else { return ReaderInspection() }
        return ReaderInspection(
            capabilities: ["contact", "level:\(descriptor.exchangeLevel.rawValue)", "t=0", "t=1", "slot-events"])
    }

    func holder(of reader: FoundReader) async -> String? { nil }

    func changes() async throws(ReaderError) -> AsyncStream<Void> {
        let events = device.events()
        return AsyncStream { continuation in
            let forwarding = Task {
                for await _ in events { continuation.yield() }
                continuation.finish()
            }
            continuation.onTermination = { _ in forwarding.cancel() }
        }
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
