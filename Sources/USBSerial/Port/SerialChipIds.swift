internal import USBDescriptors

/// One line of the table of chips: the ids by which a chip is known. CDC-ACM needs no line, for it is known by its class.
public struct SerialChipIds: Sendable {
    public let vendorId: UInt16
    public let productId: UInt16
    /// For people.
    public let name: String
    /// The chip behind one interface of a device with these ids.
    let makeChip: @Sendable (DeviceDescriptor, _ interface: UInt8) -> any SerialChip

    private init(
        _ vendorId: UInt16, _ productId: UInt16, _ name: String,
        _ makeChip: @escaping @Sendable (DeviceDescriptor, _ interface: UInt8) -> any SerialChip
    ) {
        self.vendorId = vendorId
        self.productId = productId
        self.name = name
        self.makeChip = makeChip
    }

    /// Sorted by the ids.
    public static let all: [SerialChipIds] =
        [
            SerialChipIds(0x0403, 0x6001, "FTDI FT232R") { FTDIChip(.ft232R, port: $1) },
            // One product number for two chips.
            SerialChipIds(0x0403, 0x6010, "FTDI FT2232D, FT2232H") {
                FTDIChip($0.release >= 0x0700 ? .ft2232H : .ft2232D, port: $1)
            },
            SerialChipIds(0x0403, 0x6011, "FTDI FT4232H") { FTDIChip(.ft4232H, port: $1) },
            SerialChipIds(0x0403, 0x6014, "FTDI FT232H") { FTDIChip(.ft232H, port: $1) },
            SerialChipIds(0x0403, 0x6015, "FTDI FT-X") { FTDIChip(.ftX, port: $1) },
            SerialChipIds(0x067B, 0x2303, "Prolific PL2303") { device, _ in
                PL2303Chip(device.isOldestPL2303 ? .oldest : .classic)
            },
        ]
        + [0x23A3, 0x23B3, 0x23C3, 0x23D3, 0x23E3, 0x23F3].map { product in
            SerialChipIds(0x067B, product, "Prolific PL2303HXN") { _, _ in PL2303Chip(.hxn) }
        } + [
            SerialChipIds(0x10C4, 0xEA60, "Silicon Labs CP2102") { CP210xChip(.cp2102, port: $1) },
            SerialChipIds(0x10C4, 0xEA70, "Silicon Labs CP2105") { CP210xChip(.cp2105, port: $1) },
            SerialChipIds(0x10C4, 0xEA71, "Silicon Labs CP2108") { CP210xChip(.cp2108, port: $1) },
            SerialChipIds(0x1A86, 0x5523, "WCH CH341") { _, _ in CH34xChip() },
            SerialChipIds(0x1A86, 0x7523, "WCH CH340") { _, _ in CH34xChip() },
        ]
}

extension DeviceDescriptor {
    fileprivate var isOldestPL2303: Bool { deviceClass == 0x02 || maxPacketSize0 != 64 }
}
