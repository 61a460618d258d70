extension FirmwareTerminal {
    private static let directory = Array("1PAY.SYS.DDF01".utf8)
    private static let mostRecords: UInt8 = 32

    /// From power on to the first cryptogram, or to the choice of an application.
    func run(_ card: EMVCardCore) -> TerminalStep {
        guard card.powerOn() != nil else { return card.wasPulled ? end(.ended(.cardRemoved)) : fallBack() }
        switch collectCandidates(card) {
        case .failed(let end): return self.end(.ended(end))
        case .found(let found): candidates = found
        }
        guard !candidates.isEmpty else { return end(.ended(.notAccepted)) }
        let isChoice = candidates.count > 1 || candidates[0].needsConfirmation
        if isChoice, configuration.offersChoice, entry == .contact {
            stage = .choosing
            return .choice(candidates.map(\.label))
        }
        return take(0)
    }

    /// The cardholder's choice, by its place in the list.
    public func choose(_ index: Int) -> TerminalStep {
        guard stage == .choosing, candidates.indices.contains(index) else { return .ended(.outOfTurn) }
        return take(index)
    }

    /// The card answers nothing (it was pulled, or is mute), or it answers wrongly.
    func fault(_ card: EMVCardCore) -> TerminalStep {
        end(.ended(card.wasPulled ? .cardRemoved : .cardFault(status: status)))
    }

    /// One command. Data and status are nil when there is no answer to speak of.
    func send(_ header: [UInt8], _ data: [UInt8] = [], expectsData: Bool = true, to card: EMVCardCore) -> [UInt8]? {
        let body = data.isEmpty ? [] : [UInt8(truncatingIfNeeded: data.count)] + data
        let reply = card.transmit(header + body + (expectsData ? [0x00] : []))
        guard reply.count >= 2 else {
            status = 0
            return nil
        }
        status = UInt16(reply[reply.count - 2]) << 8 | UInt16(reply[reply.count - 1])
        return Array(reply.dropLast(2))
    }

    private enum Collection {
        case found([Candidate])
        case failed(TerminalEnd)
    }

    private func collectCandidates(_ card: EMVCardCore) -> Collection {
        guard let answer = send([0x00, 0xA4, 0x04, 0x00], Self.directory, to: card) else {
            return .failed(card.wasPulled ? .cardRemoved : .cardFault(status: status))
        }
        if status == 0x6A81 { return .failed(.cardBlocked) }
        var found: [Candidate] = []
        if status == 0x9000, let file = Self.inner(answer, ["6F", "A5"])?["88"]?.first, (1...10).contains(file) {
            for record in 1...Self.mostRecords {
                guard let data = send([0x00, 0xB2, record, file << 3 | 0x04], to: card), status == 0x9000 else { break }
                for entry in Self.inner(data, ["70"])?.all("61") ?? [] {
                    if let entry = TerminalObjects(parsing: entry), let identifier = entry["4F"],
                        configuration.applications.contains(where: { identifier.starts(with: $0) })
                    {
                        found.append(Candidate(identifier: identifier, entry))
                    }
                }
            }
        }
        if found.isEmpty { found = searchByName(card) }
        if card.wasPulled { return .failed(.cardRemoved) }
        let ordered = found.enumerated().sorted {
            ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset)
        }
        return .found(ordered.map(\.element))
    }

    /// EMV Book 1, 12.3.3: each name that the terminal knows, and the card's next ones that begin with it.
    private func searchByName(_ card: EMVCardCore) -> [Candidate] {
        var found: [Candidate] = []
        for name in configuration.applications {
            var occurrence: UInt8 = 0x00
            while found.count < 16, let answer = send([0x00, 0xA4, 0x04, occurrence], name, to: card),
                status == 0x9000 || status == 0x6283
            {
                guard let control = Self.inner(answer, ["6F"]), let identifier = control["84"] else { break }
                if status == 0x9000, !found.contains(where: { $0.identifier == identifier }) {
                    found.append(
                        Candidate(
                            identifier: identifier,
                            control["A5"].flatMap(TerminalObjects.init(parsing:)) ?? TerminalObjects()))
                }
                occurrence = 0x02
            }
        }
        return found
    }

    /// The objects within templates, one inside the other; nil when one of them is not there.
    static func inner(_ data: [UInt8], _ templates: [String]) -> TerminalObjects? {
        var objects = TerminalObjects(parsing: data)
        for template in templates { objects = objects?[template].flatMap(TerminalObjects.init(parsing:)) }
        return objects
    }
}

extension FirmwareTerminal.Candidate {
    fileprivate init(identifier: [UInt8], _ objects: TerminalObjects) {
        let priority = objects["87"]?.first ?? 0
        self.init(
            identifier: identifier,
            label: String(decoding: (objects["50"] ?? []).filter { (0x20...0x7E).contains($0) }, as: UTF8.self),
            priority: priority & 0x0F, needsConfirmation: priority & 0x80 != 0)
    }

    fileprivate var rank: Int { priority == 0 ? 16 : Int(priority) }
}
