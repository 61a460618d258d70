/// A device's descriptors as sysfs's `descriptors` file has them: the device descriptor, then its configurations.
public struct DescriptorSet: Sendable, Hashable {
    public var device: DeviceDescriptor
    public var configurations: [ConfigurationDescriptor]

    /// Largest input that is looked at: eight configurations of the greatest wTotalLength are far beyond any reader.
    public static let maximumLength = 8 * 65_535 + 18

    /// Parses the whole file. A device that announces more configurations than there are bytes is taken with those
    /// that are there: the kernel drops configurations it could not read.
    public init(parsing bytes: [UInt8]) throws(DescriptorError) {
        guard bytes.count <= Self.maximumLength else { throw .tooMany(at: Self.maximumLength) }
        device = try DeviceDescriptor(parsing: bytes)
        configurations = []
        var start = 18
        while start < bytes.count, configurations.count < Int(device.configurationCount) {
            guard bytes.count - start >= 4 else { throw .truncated(at: bytes.count) }
            configurations.append(try ConfigurationDescriptor(parsing: bytes[start...]))
            start += Int(bytes[start + 2]) | Int(bytes[start + 3]) << 8
        }
    }
}
