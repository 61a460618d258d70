// Failed expectations and logs print values. Test cards are cards: their numbers and keys stay out of the text.

extension CardProfile: CustomStringConvertible, CustomReflectable {
    public var description: String { "card profile \(name)" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension CardApplication: CustomStringConvertible, CustomReflectable {
    public var description: String { "application \(hexadecimal(identifier))" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension CardRSAKey: CustomStringConvertible, CustomReflectable {
    var description: String { "(RSA key of \(size) bytes)" }
    var customMirror: Mirror { Mirror(self, children: []) }
}

extension CardKey: CustomStringConvertible, CustomReflectable {
    var description: String { "(16 key bytes)" }
    var customMirror: Mirror { Mirror(self, children: []) }
}
