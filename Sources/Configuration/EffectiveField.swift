public import JSONText

/// One value of a document, by its path.
public struct EffectiveField: Sendable, Hashable {
    /// For example `terminal.applications[0].aid`.
    public let path: String
    /// A text, a number, true or false; a list or an object only when it is empty.
    public let value: JSONValue
}

extension JSONValue {
    /// Its values in their order, each with its path. For documents of a few levels.
    public var fields: [EffectiveField] {
        var found: [EffectiveField] = []
        collect(into: &found, at: "")
        return found
    }

    private func collect(into found: inout [EffectiveField], at path: String) {
        switch self {
        case .object(let members) where !members.isEmpty:
            for member in members {
                member.value.collect(into: &found, at: path.isEmpty ? member.key : "\(path).\(member.key)")
            }
        case .array(let items) where !items.isEmpty:
            for (index, item) in items.enumerated() { item.collect(into: &found, at: "\(path)[\(index)]") }
        default: found.append(EffectiveField(path: path, value: self))
        }
    }
}
