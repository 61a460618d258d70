import JSONText

/// A part of the file with its own fields. To add one: a file with the section, and a line in
/// `KioskConfiguration.sections`.
protocol ConfigurationSection: Sendable {
    /// Looks for its fields in the file's object. What is absent has its default; what is wrong is recorded there.
    init(_ file: ObjectReader)

    /// What is in effect, with the names and in the form of the file, without secrets: reading it gives the same
    /// section.
    var members: [JSONValue.Member] { get }
}
