/// A JSON value as it stands in the file: numbers keep their text, objects their order and keys that come twice.
indirect enum JSONNode: Sendable, Hashable {
    case null
    case bool(Bool)
    case number(String)
    case string(String)
    case array([JSONNode])
    case object([Member])

    struct Member: Sendable, Hashable {
        let key: String
        let value: JSONNode
    }

    /// With its article, for sentences.
    var kind: String {
        switch self {
        case .null: "null"
        case .bool: "true or false"
        case .number: "a number"
        case .string: "a text"
        case .array: "a list"
        case .object: "an object"
        }
    }
}
