extension FirmwareTerminal {
    /// What the magnetic stripe of a card says: the same account as its chip's first application.
    func read(stripeOf card: EMVCardCore, _ payment: TerminalPayment) -> TerminalStep {
        presentation = nil
        guard let application = card.profile.applications.first,
            let account = AccountData(Self.records(of: application), serviceCode: swipedServiceCode)
        else { return .waiting(.presentCard) }
        if account.saysChip, !chipHasFailed, configuration.refusesChipStripe { return .waiting(.useChip) }
        entry = chipHasFailed ? .fallback : .stripe
        stage = .online
        var secured = configuration.securing.secure(account)
        secured.cardholderName = Self.records(of: application)["5F20"] ?? []
        self.account = secured
        objects["95"] = nil
        objects["9B"] = nil
        objects["9F34"] = nil
        return .online(result(Self.stripeTags))
    }

    /// The chip does not answer: the stripe, if it may be used.
    func fallBack() -> TerminalStep {
        guard let payment, payment.allowsFallback, payment.interfaces.contains(.swiped), entry == .contact else {
            return end(.ended(.chipUnreadable))
        }
        chipHasFailed = true
        stage = .waiting
        return .waiting(.useStripe)
    }

    private static func records(of application: CardApplication) -> TerminalObjects {
        var objects = TerminalObjects()
        for record in application.records.sorted(by: { ($0.key.file, $0.key.record) < ($1.key.file, $1.key.record) }) {
            var reader = ObjectReader(rest: record.value[...])
            while let entry = reader.next() { objects[entry.tag] = entry.value }
        }
        return objects
    }

    private static let stripeTags = ["9F02", "9F03", "9A", "9C", "9F21", "5F2A", "9F1A", "9F33", "9F35", "9F41"]
}
