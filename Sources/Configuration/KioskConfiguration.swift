public import JSONText

/// What an installation is told: who the merchant is, what the terminal is, how payments are made. Read from a JSON file
/// in which every key is optional and no unknown one is accepted; see docs/configuration.md.
///
/// Files that it names (keys, the user token) are not opened by reading it, but when they are asked for.
public struct KioskConfiguration: Sendable {
    /// Where it is looked for unless a path is given.
    public static let systemPath = "/etc/readerkit/readerkit.json"
    /// Bytes.
    public static let maximumSize = 1 << 20

    /// In the order of the documentation.
    static let sections: [any ConfigurationSection.Type] = [
        VersionSection.self,
        GatewaySection.self,
        MerchantSection.self,
        TimeLimitsSection.self,
        ReadersSection.self,
        TerminalSection.self,
        PaymentsSection.self,
        OfflineSection.self,
        InstalmentsSection.self,
        UserTokenSection.self,
        AppToAppSection.self,
        BannerSection.self,
        WebhookSection.self,
    ]

    private let values: [any ConfigurationSection]
    /// Every key there is, as `terminal.applications[].aid`; those of lists only where the file has an element.
    let keys: [String]
    /// Those that the file does not have.
    let absentKeys: Set<String>

    /// Everything has its default.
    public init() {
        self.init([], ReadingRecord())
    }

    /// Reads the text of a file.
    ///
    /// - Throws: everything that is wrong with it, up to 20 problems.
    public init(json: [UInt8]) throws(ConfigurationError) {
        guard json.count <= Self.maximumSize else {
            throw ConfigurationError([
                ConfigurationProblem(
                    path: "", message: "at most \(Self.maximumSize) bytes are expected, more were given")
            ])
        }
        let node: JSONNode
        do throws(JSONSyntaxError) {
            node = try JSONReader.read(json)
        } catch {
            throw ConfigurationError([ConfigurationProblem(path: "", message: error.description)])
        }
        guard case .object(let members) = node else {
            throw ConfigurationError([
                ConfigurationProblem(path: "", message: "a JSON object is expected, \(node.wasGiven)")
            ])
        }
        let record = ReadingRecord()
        self.init(members, record)
        if let error = record.error { throw error }
    }

    private init(_ members: [JSONNode.Member], _ record: ReadingRecord) {
        let file = ObjectReader(members, at: .root, record)
        values = Self.sections.map { $0.init(file) }
        file.refuseOtherKeys()
        keys = record.keys
        absentKeys = record.absentKeys
    }

    subscript<Section: ConfigurationSection>(section: Section.Type) -> Section {
        for case let value as Section in values { return value }
        // Only for a section that is missing in the list above.
        return Section(ObjectReader([], at: .root, ReadingRecord()))
    }

    /// What is in effect, as a file that says all of it. Holds no secret: those stand in files of their own.
    public var document: JSONValue {
        .object(values.flatMap(\.members))
    }
}
