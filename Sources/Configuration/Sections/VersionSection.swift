import JSONText

/// Which form of the file this is.
public struct VersionSection: ConfigurationSection, Hashable {
    /// 1 is the only one so far.
    public let number: Int

    init(_ file: ObjectReader) {
        let rule = ValueRule<Int>("1 is expected") { node in
            node == .number("1") ? .value(1) : .refused(node.isNumber ? "another number was given" : node.wasGiven)
        }
        number = file.value("version", rule, default: 1)
    }

    var members: [JSONValue.Member] { [.init("version", .integer(Int64(number)))] }
}

extension JSONNode {
    fileprivate var isNumber: Bool {
        if case .number = self { true } else { false }
    }
}

extension KioskConfiguration {
    public var version: VersionSection { self[VersionSection.self] }
}
