/// Reads the fields of one object. What is absent or wrong becomes nil or the default, and what is wrong is recorded, so
/// that reading goes on to the next field.
final class ObjectReader {
    let path: FieldPath
    let record: ReadingRecord
    private let members: [JSONNode.Member]
    private var knownKeys: [String] = []

    init(_ members: [JSONNode.Member], at path: FieldPath, _ record: ReadingRecord) {
        self.members = members
        self.path = path
        self.record = record
    }

    /// Nil and no problem when the key is absent.
    func node(_ key: String) -> JSONNode? {
        knownKeys.append(key)
        // By bytes: for Swift, different spellings of one character are equal.
        let found = members.first { $0.key.utf8.elementsEqual(key.utf8) }
        record.looked(for: path[key].pattern, isPresent: found != nil)
        return found?.value
    }

    func report(_ key: String, _ message: String) {
        record.report(path[key].text, message)
    }

    /// Nil when the key is absent or its value wrong.
    func value<Value>(_ key: String, _ rule: ValueRule<Value>) -> Value? {
        node(key).flatMap { check($0, rule, at: path[key]) }
    }

    func value<Value>(_ key: String, _ rule: ValueRule<Value>, default standard: Value) -> Value {
        value(key, rule) ?? standard
    }

    /// The key must be there.
    func required<Value>(_ key: String, _ rule: ValueRule<Value>) -> Value? {
        guard let node = node(key) else {
            report(key, "\(rule.expectation), nothing was given")
            return nil
        }
        return check(node, rule, at: path[key])
    }

    /// A list of values of one kind; nil when the key is absent or its value no list. Wrong elements are left out.
    func values<Value>(_ key: String, count: ClosedRange<Int>, _ rule: ValueRule<Value>) -> [Value]? {
        list(key, count)?.enumerated().compactMap { index, node in check(node, rule, at: path[key][index]) }
    }

    /// An object; one without members when the key is absent or its value wrong. Keys that `read` does not look for are
    /// refused.
    func object<Result>(_ key: String, _ read: (ObjectReader) -> Result) -> Result {
        readObject(node(key) ?? .object([]), at: path[key], read)
    }

    /// A list of objects; nil when the key is absent or its value no list.
    func objects<Result>(_ key: String, count: ClosedRange<Int>, _ read: (ObjectReader) -> Result) -> [Result]? {
        list(key, count)?.enumerated().map { index, node in readObject(node, at: path[key][index], read) }
    }

    /// To be called when every field has been looked for.
    func refuseOtherKeys() {
        var seen: Set<[UInt8]> = []
        for member in members {
            let bytes = Array(member.key.utf8)
            if !knownKeys.contains(where: { $0.utf8.elementsEqual(bytes) }) {
                report(member.key, "there is no such key")
            } else if !seen.insert(bytes).inserted {
                report(member.key, "the key is there twice")
            }
        }
    }

    private func readObject<Result>(_ node: JSONNode, at path: FieldPath, _ read: (ObjectReader) -> Result) -> Result {
        var members: [JSONNode.Member] = []
        var isObject = true
        if case .object(let found) = node {
            members = found
        } else {
            isObject = false
            record.report(path.text, "an object is expected, \(node.wasGiven)")
        }
        // What a wrong value lacks is not told beside that it is wrong.
        let reader = ObjectReader(members, at: path, isObject ? record : ReadingRecord())
        let result = read(reader)
        reader.refuseOtherKeys()
        return result
    }

    private func list(_ key: String, _ count: ClosedRange<Int>) -> [JSONNode]? {
        guard let node = node(key) else { return nil }
        let expectation = "a list of \(count.lowerBound) to \(count.upperBound) elements is expected"
        guard case .array(let items) = node else {
            report(key, "\(expectation), \(node.wasGiven)")
            return nil
        }
        guard count.contains(items.count) else {
            report(key, "\(expectation), \(given(items.count, "element"))")
            return nil
        }
        return items
    }

    private func check<Value>(_ node: JSONNode, _ rule: ValueRule<Value>, at path: FieldPath) -> Value? {
        switch rule.read(node) {
        case .value(let value): return value
        case .refused(let reason):
            record.report(path.text, "\(rule.expectation), \(reason)")
            return nil
        }
    }
}
