import BERTLV

/// Builds the candidate list and selects one application (Book 1, 12.3 and 12.4): first by the card's directory, else by
/// trying the terminal's AIDs one by one.
struct ApplicationSelection: Sendable {
    enum Step: Sendable {
        case transmit(CommandAPDU)
        /// Sorted by priority; answered by `chosen(_:)`.
        case choose([Candidate])
        case selected(SelectedApplication, Candidate)
        case failed(SelectionFailure)
    }

    private enum State: Sendable {
        case selectingDirectory
        case readingDirectory(file: UInt8, record: UInt8)
        case trying(entry: Int, isNext: Bool)
        case choosing([Candidate])
        case selectingFinally(Candidate)
        case idle
    }

    /// 1PAY.SYS.DDF01 (Book 1, 12.2.2).
    static let paymentSystemEnvironment = Array("1PAY.SYS.DDF01".utf8)
    /// How often SELECT next is asked for one AID before the card is taken to be repeating itself.
    static let maximumOccurrences = 32

    private let applications: [TerminalApplication]
    private let asksCardholder: Bool
    private var state = State.idle
    private var candidates: [Candidate] = []
    private var sawBlockedApplication = false
    private var occurrences = 0
    private var isFirstSelectOfList = true

    /// - Parameter asksCardholder: with several candidates, or one that wants confirmation, the cardholder decides.
    init(applications: [TerminalApplication], asksCardholder: Bool = false) {
        self.applications = applications
        self.asksCardholder = asksCardholder
    }

    mutating func start() -> Step {
        state = .selectingDirectory
        return .transmit(Self.select(Self.paymentSystemEnvironment))
    }

    mutating func receive(_ response: ResponseAPDU) -> Step {
        switch state {
        case .selectingDirectory: directorySelected(response)
        case .readingDirectory(let file, let record): directoryRead(response, file: file, record: record)
        case .trying(let entry, let isNext): tried(response, entry: entry, isNext: isNext)
        case .selectingFinally(let candidate): selectedFinally(response, candidate)
        case .idle, .choosing: .failed(.noCommonApplication)
        }
    }

    /// The application just selected cannot be used (GPO answered 6985, Book 3 10.1): the next one, if there is one.
    mutating func selectNextCandidate() -> Step {
        selectBest()
    }

    private mutating func directorySelected(_ response: ResponseAPDU) -> Step {
        if response.status.value == 0x6A81 { return .failed(.cardBlocked) }
        guard response.status.isSuccess, let information = FileControlInformation(parsing: response.data),
            let file = information.proprietary[.shortFileIdentifier], file.count == 1, (1...10).contains(file[0])
        else { return tryList() }
        state = .readingDirectory(file: file[0], record: 1)
        return .transmit(Self.readRecord(1, file: file[0]))
    }

    private mutating func directoryRead(_ response: ResponseAPDU, file: UInt8, record: UInt8) -> Step {
        if response.status.value == 0x6A83 {
            return candidates.isEmpty ? tryList() : selectBest()
        }
        guard response.status.isSuccess, let entries = Self.directoryEntries(response.data), record < 255 else {
            candidates = []
            return tryList()
        }
        for entry in entries {
            guard let aid = entry[.applicationIdentifierCard], (5...16).contains(aid.count),
                let match = match(aid), !candidates.contains(where: { $0.aid == aid })
            else { continue }
            candidates.append(Candidate(aid: aid, objects: entry, terminalEntry: match))
        }
        state = .readingDirectory(file: file, record: record + 1)
        return .transmit(Self.readRecord(record + 1, file: file))
    }

    /// The objects of each 61 in a directory record; nil when the record is not exactly one 70 of them.
    private static func directoryEntries(_ data: [UInt8]) -> [TLVChildren]? {
        guard let record = SoleObject(parsing: data), record.tag == .recordTemplate else { return nil }
        let children = record.children
        return children.filter { $0.tag == .applicationTemplate }.map(children.children(of:))
    }

    private func match(_ aid: [UInt8]) -> TerminalApplication? {
        applications.first { $0.aid == aid || ($0.allowsPartialSelection && aid.starts(with: $0.aid)) }
    }

    private mutating func tryList() -> Step {
        candidates = []
        isFirstSelectOfList = true
        return tryEntry(0)
    }

    private mutating func tryEntry(_ index: Int) -> Step {
        guard index < applications.count else {
            if candidates.isEmpty {
                return .failed(sawBlockedApplication ? .applicationBlocked : .noCommonApplication)
            }
            return selectBest()
        }
        occurrences = 0
        state = .trying(entry: index, isNext: false)
        return .transmit(Self.select(applications[index].aid))
    }

    private mutating func tried(_ response: ResponseAPDU, entry index: Int, isNext: Bool) -> Step {
        let isVeryFirst = isFirstSelectOfList
        isFirstSelectOfList = false
        if isVeryFirst, response.status.value == 0x6A81 { return .failed(.cardBlocked) }
        let entry = applications[index]
        let carriesFCI = response.status.isSuccess || response.status.isWarning
        guard carriesFCI, let information = FileControlInformation(parsing: response.data),
            information.dedicatedFileName.starts(with: entry.aid)
        else { return tryEntry(index + 1) }
        let isExact = information.dedicatedFileName == entry.aid
        if response.status.isSuccess {
            let isKnown = candidates.contains { $0.aid == information.dedicatedFileName }
            if !isKnown, isExact || entry.allowsPartialSelection {
                candidates.append(information.candidate(for: entry))
            }
        } else {
            sawBlockedApplication = true
        }
        occurrences += 1
        guard !isExact, occurrences < Self.maximumOccurrences else { return tryEntry(index + 1) }
        state = .trying(entry: index, isNext: true)
        return .transmit(Self.select(entry.aid, next: true))
    }

    /// By priority, equals in the order in which they were found (Book 1, 12.4). Without a cardholder to ask, those that
    /// need confirmation are left out, and the first one is taken.
    private mutating func selectBest() -> Step {
        let sorted = candidates.indices
            .filter { asksCardholder || !candidates[$0].needsConfirmation }
            .sorted { (candidates[$0].rank, $0) < (candidates[$1].rank, $1) }
            .map { candidates[$0] }
        guard let best = sorted.first else {
            state = .idle
            return .failed(sawBlockedApplication ? .applicationBlocked : .noCommonApplication)
        }
        guard asksCardholder, sorted.count > 1 || best.needsConfirmation else { return select(best) }
        state = .choosing(sorted)
        return .choose(sorted)
    }

    /// The cardholder's choice, an index into the list of `.choose`.
    mutating func chosen(_ index: Int) -> Step {
        guard case .choosing(let offered) = state, offered.indices.contains(index) else {
            return .failed(.noCommonApplication)
        }
        return select(offered[index])
    }

    private mutating func select(_ candidate: Candidate) -> Step {
        candidates.removeAll { $0.aid == candidate.aid }
        state = .selectingFinally(candidate)
        return .transmit(Self.select(candidate.aid))
    }

    private mutating func selectedFinally(_ response: ResponseAPDU, _ candidate: Candidate) -> Step {
        if response.status.value == 0x6283 { sawBlockedApplication = true }
        guard response.status.isSuccess, let information = FileControlInformation(parsing: response.data),
            information.dedicatedFileName.starts(with: candidate.aid)
        else { return selectBest() }
        state = .idle
        let application = SelectedApplication(
            aid: information.dedicatedFileName, terminalEntry: candidate.terminalEntry,
            processingOptionsDataObjectList: information.proprietary[.processingOptionsDataObjectList])
        return .selected(application, information.candidate(for: candidate.terminalEntry).filled(from: candidate))
    }

    private static func select(_ name: [UInt8], next: Bool = false) -> CommandAPDU {
        CommandAPDU(cla: 0x00, ins: 0xA4, p1: 0x04, p2: next ? 0x02 : 0x00, data: name, expectedLength: 256)
    }

    private static func readRecord(_ record: UInt8, file: UInt8) -> CommandAPDU {
        CommandAPDU(cla: 0x00, ins: 0xB2, p1: record, p2: file << 3 | 0x04, expectedLength: 256)
    }
}

extension Candidate {
    /// 1 best ... 15, no priority last.
    fileprivate var rank: UInt8 { priority == 0 ? 16 : priority }

    /// The FCI's names and priority, or the directory's where the FCI gives none.
    fileprivate func filled(from directory: Candidate) -> Candidate {
        Candidate(
            aid: aid, label: label.isEmpty ? directory.label : label,
            preferredName: preferredName.isEmpty ? directory.preferredName : preferredName,
            codeTableIndex: codeTableIndex ?? directory.codeTableIndex,
            priority: priority == 0 ? directory.priority : priority,
            needsConfirmation: needsConfirmation, terminalEntry: terminalEntry)
    }
}
