public import USBDescriptors

/// Which interface of a device to claim. Always alternate setting 0.
public enum USBInterfaceSelection: Sendable, Hashable {
    /// bInterfaceNumber.
    case number(UInt8)
    /// The first interface of a class, and of a subclass and protocol where they are given.
    case matching(interfaceClass: UInt8, subclass: UInt8? = nil, interfaceProtocol: UInt8? = nil)
    /// The first interface with a bulk pipe in each direction.
    case firstWithBulkPipes

    /// The interface chosen from a configuration; nil when none fits.
    public func choose(from configuration: ConfigurationDescriptor) -> InterfaceDescriptor? {
        configuration.interfaces.first { interface in
            guard interface.alternateSetting == 0 else { return false }
            switch self {
            case .number(let number):
                return interface.number == number
            case .matching(let interfaceClass, let subclass, let interfaceProtocol):
                return interface.interfaceClass == interfaceClass
                    && (subclass ?? interface.subclass) == interface.subclass
                    && (interfaceProtocol ?? interface.interfaceProtocol) == interface.interfaceProtocol
            case .firstWithBulkPipes:
                return interface.endpoint(.bulk, isIn: true) != nil && interface.endpoint(.bulk, isIn: false) != nil
            }
        }
    }
}
