import JSONText

/// The token by which app-to-app requests are known to come from the merchant. It stands in a file of its own: this
/// section only says where.
public struct UserTokenSection: ConfigurationSection, Hashable {
    /// From / on; nil: there is none, and no app-to-app request is served.
    public let file: String?
    /// It is no longer valid from this time on.
    public let expires: InternetTime?

    init(_ file: ObjectReader) {
        self = file.object("userToken") { UserTokenSection(object: $0) }
    }

    private init(object: ObjectReader) {
        file = object.value("userTokenFile", .absolutePath)
        expires = object.value("expires", InternetTime.rule)
        if expires != nil, file == nil, object.record.absentKeys.contains("userToken.userTokenFile") {
            object.report("userTokenFile", "\(ValueRule.absolutePath.expectation), nothing was given")
        }
    }

    var members: [JSONValue.Member] {
        var fields: [JSONValue.Member] = []
        if let file { fields.append(.init("userTokenFile", .string(file))) }
        if let expires { fields.append(.init("expires", .string(expires.text))) }
        return fields.isEmpty ? [] : [.init("userToken", .object(fields))]
    }
}

extension KioskConfiguration {
    public var userToken: UserTokenSection { self[UserTokenSection.self] }
}
