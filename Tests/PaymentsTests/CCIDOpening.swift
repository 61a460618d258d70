import FirmwareCores
import InProcessMock
import ReaderWire
import Readers
import Transport
import USBDescriptors

extension InProcessDevice {
    /// The mock CCID reader behind the driver that real readers use.
    func openCCIDReader(clock: any MonotonicClock) async throws(ReaderError) -> OpenedReader {
        guard let configuration = try? ConfigurationDescriptor(parsing: descriptors.configuration),
            let interface = configuration.interfaces.first,
            let descriptor = interface.classDescriptor(type: CCIDClassDescriptor.descriptorType)
                .flatMap(CCIDClassDescriptor.init(parsing:))
        else { throw ReaderError(.unsupported, during: "opening the reader") }
        return .channel(
            try await CCIDReader.open(
                open(), descriptor: descriptor, interfaceNumber: interface.number, model: "Bed", clock: clock,
                until: .after(.seconds(10), on: clock)))
    }
}
