import FirmwareCores
import InProcessMock
import ReaderWire
import Readers
import Transport
import USBDescriptors

/// The firmware of a CCID reader in this process, behind the driver that real readers use.
struct SimulatedReader: Sendable {
    private let device: InProcessDevice
    private let clock: VirtualClock
    private let record: AnswerRecord

    init(card: String, clock: VirtualClock, _ record: AnswerRecord) throws {
        device = InProcessDevice(core: try CCIDReaderCore.make(options: ["card": card]), clock: clock)
        self.clock = clock
        self.record = record
    }

    func open() async throws(ReaderError) -> OpenedReader {
        guard let configuration = try? ConfigurationDescriptor(parsing: device.descriptors.configuration),
            let interface = configuration.interfaces.first,
            let descriptor = interface.classDescriptor(type: CCIDClassDescriptor.descriptorType)
                .flatMap(CCIDClassDescriptor.init(parsing:))
        else { throw ReaderError(.unsupported, during: "opening the reader") }
        return .channel(
            UnhurriedReader(
                try await CCIDReader.open(
                    device.open(), descriptor: descriptor, interfaceNumber: interface.number, model: "Crash bed",
                    clock: clock,
                    until: .after(.seconds(10), on: clock)), record))
    }
}
