/// What the person at the kiosk should know or do now. Prompts are not errors.
public enum PaymentProgress: String, Sendable, Hashable, CaseIterable {
    case insertCard
    case doNotRemoveCard
    case authorising
    case removeCard

    /// A short line for a screen.
    public func text(in language: DisplayLanguage) -> String {
        switch (self, language) {
        case (.insertCard, .spanish): "Inserte la tarjeta"
        case (.insertCard, .english): "Insert card"
        case (.doNotRemoveCard, .spanish): "No retire la tarjeta"
        case (.doNotRemoveCard, .english): "Do not remove card"
        case (.authorising, .spanish): "Autorizando"
        case (.authorising, .english): "Authorising"
        case (.removeCard, .spanish): "Retire la tarjeta"
        case (.removeCard, .english): "Remove card"
        }
    }
}

public enum DisplayLanguage: String, Sendable, Hashable, CaseIterable {
    case spanish = "es"
    case english = "en"

    /// From a locale name such as `es_MX.UTF-8`; everything but Spanish is English.
    public init(locale: String?) {
        self = locale?.hasPrefix("es") == true ? .spanish : .english
    }
}
