/// The descriptors of a CCID reader (USB 2.0, 9.6; CCID 1.1, 5.1).
enum CCIDDescriptors {
    static let bulkOut: UInt8 = 0x02
    static let bulkIn: UInt8 = 0x82
    static let interruptIn: UInt8 = 0x83
    /// dwMaxCCIDMessageLength: a short APDU and the header.
    static let longestMessage = 271
    /// dwDefaultClock in kHz and dwDataRate in bit/s.
    static let clock: UInt32 = 4000
    static let dataRate: UInt32 = 9600

    static func make(_ options: CCIDOptions) -> DeviceDescriptors {
        let device: [UInt8] =
            [18, 0x01, 0x00, 0x02, 0x00, 0x00, 0x00, 64] + word(options.vendor) + word(options.product)
            + [0x00, 0x01, 1, 2, 3, 1]
        return DeviceDescriptors(
            device: device, configuration: configuration(options),
            strings: ["Mock Works", "Smart Card Reader", options.serial],
            speed: options.packetSize == 512 ? "480" : "12")
    }

    /// A four-byte number, lowest byte first.
    static func double(_ value: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> UInt32(8 * $0)) }
    }

    private static func configuration(_ options: CCIDOptions) -> [UInt8] {
        let endpoints: UInt8 = options.hasInterrupt ? 3 : 2
        let packet = word(UInt16(options.packetSize))
        var rest: [UInt8] = [9, 0x04, 0, 0, endpoints, 0x0B, 0x00, 0x00, 0]
        rest += functional(options)
        rest += [7, 0x05, bulkOut, 0x02] + packet + [0]
        rest += [7, 0x05, bulkIn, 0x02] + packet + [0]
        if options.hasInterrupt { rest += [7, 0x05, interruptIn, 0x03, 8, 0, 16] }
        return [9, 0x02] + word(UInt16(9 + rest.count)) + [1, 1, 0, 0x80, 50] + rest
    }

    private static func functional(_ options: CCIDOptions) -> [UInt8] {
        var bytes: [UInt8] = [54, 0x21, 0x10, 0x01, 0x00, 0x07]
        bytes += double(3)
        bytes += double(clock) + double(clock) + [0]
        bytes += double(dataRate) + double(dataRate) + [0]
        bytes += double(254)
        bytes += double(0) + double(0)
        bytes += double(options.featureBits)
        bytes += double(UInt32(longestMessage))
        bytes += [0xFF, 0xFF, 0x00, 0x00, 0x00, 1]
        return bytes
    }

    private static func word(_ value: UInt16) -> [UInt8] {
        [UInt8(value & 0xFF), UInt8(value >> 8)]
    }
}
