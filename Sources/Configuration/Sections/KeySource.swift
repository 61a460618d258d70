/// Where the payment systems' public keys come from.
public enum KeySource: Sendable, Hashable {
    /// The built-in test keys. Their private parts are public.
    case test
    /// A key file, in the form of `CertificationAuthorityKeyStore.init(json:)`.
    case file(String)

    var text: String {
        switch self {
        case .test: "test"
        case .file(let path): path
        }
    }

    static let rule = ValueRule<KeySource>.text("\"test\" or the path of a key file, from / on, is expected") { text in
        if text == "test" { return .value(.test) }
        switch ValueRule.absolutePath.read(.string(text)) {
        case .value(let path): return .value(.file(path))
        case .refused: return .refused("another text was given")
        }
    }
}
