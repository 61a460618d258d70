public enum DisplayLanguage: String, Sendable, Hashable, CaseIterable {
    case spanish = "es"
    case english = "en"

    /// From a locale name such as `es_MX.UTF-8`; everything but Spanish is English.
    public init(locale: String?) {
        self = locale?.hasPrefix("es") == true ? .spanish : .english
    }
}
