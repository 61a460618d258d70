extension FirmwareTerminal {
    /// Selects an application and runs it up to the first cryptogram. One that refuses is left out, and the next by
    /// priority is tried (EMV Book 1, 12.4).
    func take(_ index: Int) -> TerminalStep {
        guard let card, let payment else { return end(.ended(.cardRemoved)) }
        var next = index
        var refusal = TerminalEnd.notAccepted
        while candidates.indices.contains(next) {
            let candidate = candidates.remove(at: next)
            next = 0
            guard let control = send([0x00, 0xA4, 0x04, 0x00], candidate.identifier, to: card) else {
                return fault(card)
            }
            guard status == 0x9000 else {
                refusal = status == 0x6283 ? .applicationBlocked : .notAccepted
                continue
            }
            guard let proprietary = Self.inner(control, ["6F", "A5"]) else { return fault(card) }
            keep(proprietary, ["50", "9F12", "9F11", "5F2D"])
            objects["84"] = candidate.identifier
            objects["4F"] = candidate.identifier
            objects["9F06"] = candidate.identifier
            guard let list = CardData.list(proprietary["9F38"] ?? []),
                let options = send(
                    [0x80, 0xA8, 0x00, 0x00], CardData.object([0x83], objects.data(for: list)), to: card)
            else { return fault(card) }
            if status == 0x6985 { continue }
            guard status == 0x9000, read(options: options), readRecords(card) else { return fault(card) }
            return firstCryptogram(card, payment)
        }
        return end(.ended(refusal))
    }

    private func read(options: [UInt8]) -> Bool {
        guard let answer = TerminalObjects(parsing: options) else { return false }
        if let whole = answer["80"], whole.count >= 6 {
            objects["82"] = Array(whole.prefix(2))
            objects["94"] = Array(whole.dropFirst(2))
        } else if let template = answer["77"].flatMap(TerminalObjects.init(parsing:)) {
            keep(template, ["82", "94"])
        }
        return objects["82"]?.count == 2 && !(objects["94"] ?? []).isEmpty
    }

    private func readRecords(_ card: EMVCardCore) -> Bool {
        let locator = objects["94"] ?? []
        guard locator.count % 4 == 0, locator.count <= 252 else { return false }
        for start in stride(from: 0, to: locator.count, by: 4) {
            let (file, first, last) = (locator[start], locator[start + 1], locator[start + 2])
            guard file & 0x07 == 0, file >= 0x08, first > 0, last >= first else { return false }
            for record in first...last {
                guard let data = send([0x00, 0xB2, record, file | 0x04], to: card), status == 0x9000,
                    let template = TerminalObjects(parsing: data)?["70"]
                else { return false }
                // Fill bytes after the objects are no fault.
                var reader = ObjectReader(rest: template[...])
                while let entry = reader.next() { objects[entry.tag] = entry.value }
            }
        }
        return true
    }

    private func firstCryptogram(_ card: EMVCardCore, _ payment: TerminalPayment) -> TerminalStep {
        guard let list = objects["8C"].flatMap(CardData.list), !list.isEmpty, let account = AccountData(objects) else {
            return fault(card)
        }
        setVerificationResults()
        let asked: UInt8 = isDenied ? 0x00 : goesOnline ? 0x80 : 0x40
        guard let answer = send([0x80, 0xAE, asked, 0x00], objects.data(for: list), to: card), status == 0x9000,
            readCryptogram(answer)
        else { return fault(card) }
        var secured = configuration.securing.secure(account)
        secured.cardholderName = objects["5F20"] ?? []
        self.account = secured
        switch (objects["9F27"]?.first ?? 0) & 0xC0 {
        case 0x80:
            stage = .online
            return .online(result(Self.resultTags))
        case 0x40: return end(.approved(result(Self.resultTags)))
        default: return end(.declined(result(Self.resultTags)))
        }
    }

    /// Terminal verification results and status as far as a terminal without PIN, floor limits and exception file goes.
    private func setVerificationResults() {
        var results = objects["95"] ?? [0x80, 0, 0, 0, 0]
        let date = objects["9A"] ?? []
        if let expiry = objects["5F24"], expiry.count == 3, date.count == 3, Self.isLater(date, than: expiry) {
            results[1] |= 0x40
        }
        if let start = objects["5F25"], start.count == 3, date.count == 3, Self.isLater(start, than: date) {
            results[1] |= 0x20
        }
        if amount >= configuration.floorLimit { results[3] |= 0x80 }
        objects["95"] = results
        // Cardholder verification, card and terminal risk management were performed.
        objects["9B"] = [0x68, 0x00]
    }

    /// 9F02; what is no number is nothing.
    private var amount: UInt64 { UInt64(hexadecimal(objects["9F02"] ?? [])) ?? 0 }

    private static func isLater(_ first: [UInt8], than second: [UInt8]) -> Bool {
        second.lexicographicallyPrecedes(first)
    }

    /// EMV Book 3, 10.7: the issuer's denial code. To go online the floor limit alone decides: without offline data
    /// authentication the issuer's online code would always ask for it.
    private var isDenied: Bool { zip(objects["95"] ?? [], objects["9F0E"] ?? []).contains { $0 & $1 != 0 } }
    private var goesOnline: Bool { amount >= configuration.floorLimit }

    func readCryptogram(_ answer: [UInt8]) -> Bool {
        guard let read = TerminalObjects(parsing: answer) else { return false }
        if let whole = read["80"], whole.count >= 11 {
            objects["9F27"] = [whole[0]]
            objects["9F36"] = Array(whole[1..<3])
            objects["9F26"] = Array(whole[3..<11])
            objects["9F10"] = Array(whole[11...])
            return true
        }
        guard let template = read["77"].flatMap(TerminalObjects.init(parsing:)), template["9F27"]?.count == 1,
            template["9F26"]?.count == 8, template["9F36"]?.count == 2
        else { return false }
        keep(template, ["9F27", "9F36", "9F26", "9F10"])
        return true
    }

    func keep(_ found: TerminalObjects, _ tags: [String]) {
        for tag in tags {
            if let value = found[tag] { objects[tag] = value }
        }
    }

    func result(_ tags: [String]) -> TerminalResult {
        TerminalResult(
            entry: entry, objects: objects.chosen(tags),
            account: account
                ?? SecuredAccount(shown: AccountData(accountNumber: [], track2Equivalent: [], track1: [], track2: [])))
    }

    static let resultTags = [
        "4F", "84", "50", "9F12", "9F11", "5F34", "5F24", "5F28", "82", "95", "9B", "9A", "9C", "9F02", "9F03", "9F21",
        "5F2A", "9F1A", "9F06", "9F07", "9F08", "9F10", "9F1E", "9F26", "9F27", "9F33", "9F34", "9F35", "9F36", "9F37",
        "9F41", "9F5B",
    ]
}
