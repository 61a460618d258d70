/// The parameters of a URL by key. An empty value counts as absent.
struct ReceivedValues {
    private var values: [[UInt8]: String] = [:]
    /// Keys that came again with another value, in order.
    private(set) var contradictions: [String] = []
    /// In order, each once, present or empty.
    private(set) var keys: [String] = []

    init(_ parameters: [URLParameters.Parameter]) {
        var seen: Set<[UInt8]> = []
        for parameter in parameters {
            // By bytes: two texts that look the same to Unicode are still two texts.
            let key = Array(parameter.key.utf8)
            if seen.insert(key).inserted { keys.append(parameter.key) }
            guard let value = parameter.value, !value.isEmpty else { continue }
            if let earlier = values[key] {
                if !earlier.utf8.elementsEqual(value.utf8) { contradictions.append(parameter.key) }
            } else {
                values[key] = value
            }
        }
    }

    subscript(key: String) -> String? { values[Array(key.utf8)] }
}
