/// A code that people or programs meet and can rely on: it keeps its name and its meaning. The page `docs/errors.md` is made
/// from these, so that a code which is not explained does not compile.
public protocol DocumentedCode: CaseIterable, Hashable, Sendable {
    /// As it stands in JSON, logs and the ledger.
    var name: String { get }
    /// What it means, in one English sentence.
    var sentence: String { get }
    /// Who must act first.
    var whoActs: WhoActs { get }
    /// What to do, in one or two English sentences.
    var nextStep: String { get }
}

extension DocumentedCode where Self: RawRepresentable, RawValue == String {
    public var name: String { rawValue }
}

/// A code that also has a number, for displays that have no room for more.
public protocol NumberedCode: DocumentedCode {
    /// Four digits. The thousands are those of a family of errors, and no two codes have the same.
    var number: Int { get }
}
