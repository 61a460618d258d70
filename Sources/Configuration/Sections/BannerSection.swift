import JSONText

/// What is shown before the amount.
public struct BannerSection: ConfigurationSection, Hashable {
    /// At most 256 characters; empty: none.
    public let text: String
    /// From / on; nil: none.
    public let imageFile: String?
    /// How long, 0 to 60; 0 is off.
    public let seconds: Int

    init(_ file: ObjectReader) {
        self = file.object("banner") { BannerSection(object: $0) }
    }

    private init(object: ObjectReader) {
        text = object.value("text", .line(0...256), default: "")
        imageFile = object.value("imageFile", .absolutePath)
        seconds = object.value("seconds", .wholeNumber(0...60), default: 0)
    }

    var members: [JSONValue.Member] {
        var fields: [JSONValue.Member] = [.init("text", .string(text))]
        if let imageFile { fields.append(.init("imageFile", .string(imageFile))) }
        return [.init("banner", .object(fields + [.init("seconds", .integer(Int64(seconds)))]))]
    }
}

extension KioskConfiguration {
    public var banner: BannerSection { self[BannerSection.self] }
}
