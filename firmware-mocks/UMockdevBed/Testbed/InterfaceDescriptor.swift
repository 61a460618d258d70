/// An interface of a configuration, alternate setting 0, with its endpoints.
struct InterfaceDescriptor: Sendable, Hashable {
    var number: UInt8
    var interfaceClass: UInt8
    var subclass: UInt8
    var interfaceProtocol: UInt8
    var endpoints: [UInt8] = []

    /// The interfaces of a configuration descriptor, in its order; malformed rests are ignored.
    static func all(in configuration: [UInt8]) -> [InterfaceDescriptor] {
        var found: [InterfaceDescriptor] = []
        var index = 0
        var isFirstSetting = false
        while index + 1 < configuration.count {
            let length = Int(configuration[index])
            guard length >= 2, index + length <= configuration.count else { break }
            let descriptor = Array(configuration[index..<(index + length)])
            if descriptor[1] == 0x04, length >= 9 {
                isFirstSetting = descriptor[3] == 0
                if isFirstSetting {
                    found.append(
                        InterfaceDescriptor(
                            number: descriptor[2], interfaceClass: descriptor[5], subclass: descriptor[6],
                            interfaceProtocol: descriptor[7]))
                }
            } else if descriptor[1] == 0x05, length >= 7, isFirstSetting, !found.isEmpty {
                found[found.count - 1].endpoints.append(descriptor[2])
            }
            index += length
        }
        return found
    }
}
