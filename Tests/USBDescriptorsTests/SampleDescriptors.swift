/// Descriptors made after USB 2.0, chapter 9, and the CCID 1.1 class descriptor (DWG_Smart-Card_CCID_Rev110, 5.1).
enum SampleDescriptors {
    static let device: [UInt8] = [
        18, 0x01, 0x00, 0x02, 0x00, 0x00, 0x00, 16, 0xE6, 0x08, 0x37, 0x34, 0x00, 0x02, 1, 2, 0, 1,
    ]

    static let ccid: [UInt8] =
        [54, 0x21, 0x10, 0x01, 0, 7, 3, 0, 0, 0]
        + [0xA0, 0x0F, 0, 0, 0xA0, 0x0F, 0, 0, 0]
        + [0x80, 0x25, 0, 0, 0x80, 0x25, 0, 0, 0]
        + [254, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
        + [0xFE, 0x04, 0x04, 0, 15, 1, 0, 0, 0xFF, 0xFF, 0, 0, 0, 1]

    static let configuration: [UInt8] =
        [9, 0x02, 93, 0, 1, 1, 0, 0x80, 50]
        + [9, 0x04, 0, 0, 3, 0x0B, 0, 0, 0]
        + ccid
        + [7, 0x05, 0x02, 0x02, 64, 0, 0]
        + [7, 0x05, 0x82, 0x02, 64, 0, 0]
        + [7, 0x05, 0x83, 0x03, 8, 0, 24]

    static let all = device + configuration
}
