/// Where the kernel has put a device: /dev/bus/usb/BUS/DEVICE. It changes at every plug.
public struct USBDeviceAddress: Sendable, Hashable {
    public let bus: UInt8
    public let device: UInt8

    public init(bus: UInt8, device: UInt8) {
        self.bus = bus
        self.device = device
    }
}

extension USBDeviceAddress: CustomStringConvertible {
    /// As the node is named: "001/002".
    public var description: String {
        func threeDigits(_ value: UInt8) -> String {
            let digits = String(value)
            return String(repeating: "0", count: 3 - digits.count) + digits
        }
        return "\(threeDigits(bus))/\(threeDigits(device))"
    }
}
