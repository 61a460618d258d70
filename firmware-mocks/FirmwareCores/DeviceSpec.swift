/// A device to plug in, as a command line writes it: `FAMILY[:OPTION[,OPTION]...]...` with every option `key=value`,
/// for example `reference`, `reference:serial=R0002,port=1-2`, `ccid:card=visa-credit,level=short,port=1-1`.
public struct DeviceSpec: Sendable, Hashable {
    /// The firmware family: lower-case letters, digits and hyphens.
    public var family: String
    /// Where the device is plugged in, for example `1-1`; nil lets the bus choose the first free port.
    public var port: String?
    /// Every other option. The bus takes what it knows; the rest belongs to the core.
    public var options: [String: String]

    public init(family: String, port: String? = nil, options: [String: String] = [:]) {
        self.family = family
        self.port = port
        self.options = options
    }

    /// Reads a specification.
    ///
    /// - Throws: `CoreOptionError` with a sentence that names the part which is wrong.
    public init(parsing text: String) throws(CoreOptionError) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        let family = parts.first ?? ""
        guard Self.isName(family) else {
            throw CoreOptionError("'\(text)' does not begin with a family name such as 'reference' or 'ccid'")
        }
        var options: [String: String] = [:]
        for part in parts.dropFirst() {
            for option in part.split(separator: ",", omittingEmptySubsequences: false) {
                guard let equals = option.firstIndex(of: "="), equals != option.startIndex else {
                    throw CoreOptionError("'\(option)' in '\(text)' is not an option of the form key=value")
                }
                let key = String(option[..<equals])
                guard Self.isName(key) else {
                    throw CoreOptionError("'\(key)' in '\(text)' is not an option name")
                }
                guard options.updateValue(String(option[option.index(after: equals)...]), forKey: key) == nil else {
                    throw CoreOptionError("option '\(key)' is given twice in '\(text)'")
                }
            }
        }
        self.init(family: family, port: options.removeValue(forKey: "port"), options: options)
    }

    private static func isName(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2D
            }
    }
}
