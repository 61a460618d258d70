/// bDescriptorType values (USB 2.0, table 9-5).
enum DescriptorType {
    static let device: UInt8 = 0x01
    static let configuration: UInt8 = 0x02
    static let interface: UInt8 = 0x04
    static let endpoint: UInt8 = 0x05
}

extension ArraySlice<UInt8> {
    /// Takes one descriptor off the front: nil, leaving the slice alone, when bLength is below 2 or leads outside.
    mutating func popDescriptor() -> (type: UInt8, bytes: ArraySlice<UInt8>)? {
        guard count >= 2 else { return nil }
        let length = Int(self[startIndex])
        guard length >= 2, length <= count else { return nil }
        let bytes = prefix(length)
        self = dropFirst(length)
        return (bytes[bytes.startIndex + 1], bytes)
    }
}
