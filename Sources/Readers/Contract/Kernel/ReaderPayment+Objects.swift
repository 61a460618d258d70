import Money

extension ReaderPayment {
    /// 5F2A: format n3 in two bytes.
    var currencyCode: [UInt8] {
        let code = amount.currency.numeric
        return [UInt8(truncatingIfNeeded: code / 100), UInt8(truncatingIfNeeded: (code / 10 % 10) << 4 | code % 10)]
    }

    /// What to say first to the person.
    var firstPrompt: CardholderPrompt {
        guard interfaces.count == 1, let only = interfaces.first else { return .presentCard }
        return switch only {
        case .contact: .insertCard
        case .contactless: .tapCard
        case .magneticStripe: .swipeCard
        }
    }
}
