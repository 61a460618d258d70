public import Transport
public import USB

extension USBContext {
    /// Opens one port of a USB-serial device: finds out which chip it is, takes the port from the kernel's driver if need
    /// be, prepares the chip, and raises DTR and RTS.
    ///
    /// Throws what `open` throws, and `.unsupported` for a device without such a port or for settings that its chip cannot
    /// do, with a sentence in `underlying`.
    ///
    /// - Parameter port: from 0; devices with several have one for each connector or channel.
    public func openSerialPort(
        _ address: USBDeviceAddress, port: Int = 0, _ settings: SerialSettings,
        options: USBSerialOptions = USBSerialOptions(), until deadline: Deadline
    ) async throws(TransportError) -> USBSerialPort {
        let description = try await describe(address, until: deadline)
        let functions = USBSerialFunction.all(in: description.device, description.configuration)
        guard functions.indices.contains(port) else {
            let found =
                functions.isEmpty ? "is no USB-serial device that is known" : "has \(functions.count) serial ports"
            throw TransportError(.unsupported, during: "open", underlying: "the device \(address) \(found)")
        }
        return try await openSerialPort(address, functions[port], settings, options: options, until: deadline)
    }

    /// Opens a port whose chip is known, for a device with ids of its own.
    public func openSerialPort(
        _ address: USBDeviceAddress, _ function: USBSerialFunction, _ settings: SerialSettings,
        options: USBSerialOptions = USBSerialOptions(), until deadline: Deadline
    ) async throws(TransportError) -> USBSerialPort {
        // Before anything is taken from a driver.
        _ = try USBSerialPort.refusable("open") { () throws(SerialChipRefusal) in try function.chip.kept(settings) }
        let connection: USBConnection
        do throws(TransportError) {
            connection = try await open(
                address, interface: .number(function.dataInterface),
                options: USBOpenOptions(
                    detachesKernelDriver: options.detachesKernelDriver,
                    companions: function.controlInterface.map { [$0] } ?? [], settlingTime: options.settlingTime),
                until: deadline)
        } catch {
            guard error.code == .busy else { throw error }
            let holder = options.detachesKernelDriver ? "another program" : "the kernel's driver or another program"
            throw TransportError(.busy, during: "open", underlying: "\(holder) holds the port")
        }
        return try await USBSerialPort.open(
            connection, as: function.chip, settings, hangsUpOnClose: options.hangsUpOnClose, until: deadline)
    }
}
