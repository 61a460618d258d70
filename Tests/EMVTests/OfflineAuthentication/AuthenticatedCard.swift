import BERTLV
import FirmwareCores
import Money
import Testing

@testable import EMV

/// swift-testing has a `Tag`, too.
typealias ObjectTag = BERTLV.Tag

/// A card as the kernel sees it before offline data authentication: selected, initiated, read.
struct AuthenticatedCard {
    struct Record {
        let place: ApplicationFileLocator.Record
        var data: [UInt8]
    }

    var terminal: TerminalConfiguration
    let transaction: TransactionData
    let application: SelectedApplication
    var interchangeProfile: [UInt8]
    var records: [Record]
    var processingOptionsData: [UInt8] = []
    var keys: CertificationAuthorityKeyStore

    static func transaction(year: Int = 2026, month: Int = 6, day: Int = 30) throws -> TransactionData {
        TransactionData(
            amount: try #require(Amount(minorUnits: 115_00, currency: .mxn)),
            time: TransactionTime(year: year, month: month, day: day, hour: 12, minute: 0, second: 0),
            unpredictableNumber: [0x7F, 0xBC, 0x40, 0x49], sequenceCounter: 1)
    }

    /// The kiosk with another third byte of 9F33: 80 SDA, 40 DDA, 08 CDA.
    static func terminal(_ methods: UInt8) -> TerminalConfiguration {
        var terminal = TerminalConfiguration.mexicanKiosk
        terminal.capabilities = TerminalCapabilities(bytes: [0x60, 0x08, methods]) ?? terminal.capabilities
        return terminal
    }

    /// From a recorded dialogue.
    init(
        application: String, processingOptions: String, records: [String], methods: UInt8, transaction: TransactionData
    ) throws {
        terminal = Self.terminal(methods)
        self.transaction = transaction
        self.application = try Self.selected(octets(application), nil)
        keys = try .test()
        let response = try #require(ResponseAPDU(bytes: octets(processingOptions)))
        guard case .initiated(let profile, let locator, _) = ApplicationInitiation.evaluate(response) else {
            throw Unexpected()
        }
        interchangeProfile = profile
        let places = try #require(ApplicationFileLocator(parsing: locator)).records
        try #require(places.count == records.count)
        self.records = zip(places, records).map { Record(place: $0, data: octets($1).dropLast(2)) }
    }

    /// From a simulated card.
    init(_ card: EMVCardCore, methods: UInt8 = 0xC8) throws {
        terminal = Self.terminal(methods)
        transaction = try Self.transaction()
        keys = try .test()
        _ = try #require(card.powerOn())
        let name = try #require(card.profile.applications.first).identifier
        let selection = try #require(
            ResponseAPDU(
                bytes: card.transmit(
                    CommandAPDU(cla: 0, ins: 0xA4, p1: 4, p2: 0, data: name, expectedLength: 256).bytes)))
        application = try Self.selected(name, TLVTree(parsing: selection.data).first(0x9F38))
        var context = TransactionContext(terminal: terminal, transaction: transaction)
        context.application = application
        let command = try #require(ApplicationInitiation.command(&context))
        processingOptionsData = Array(command.data.dropFirst(2))
        let response = try #require(ResponseAPDU(bytes: card.transmit(command.bytes)))
        guard case .initiated(let profile, let locator, _) = ApplicationInitiation.evaluate(response) else {
            throw Unexpected()
        }
        interchangeProfile = profile
        records = []
        for place in try #require(ApplicationFileLocator(parsing: locator)).records {
            let read = CommandAPDU(
                cla: 0, ins: 0xB2, p1: place.number, p2: place.file << 3 | 4, expectedLength: 256)
            let answer = try #require(ResponseAPDU(bytes: card.transmit(read.bytes)))
            try #require(answer.status.isSuccess && answer.data.count <= 254)
            records.append(Record(place: place, data: answer.data))
        }
    }

    /// What the kernel has after the records, and the marked ones of them.
    func read() throws -> (context: TransactionContext, staticData: StaticAuthenticationData) {
        var terminal = terminal
        terminal.certificationAuthorityKeys = keys
        var context = TransactionContext(terminal: terminal, transaction: transaction)
        context.application = application
        context.processingOptionsData = processingOptionsData
        _ = context.card.add(.applicationInterchangeProfile, interchangeProfile)
        var staticData = StaticAuthenticationData()
        for record in records {
            staticData.add(record.data, from: record.place)
            let tree = TLVTree(parsing: record.data)
            for node in tree.nodes.first?.children ?? [] where !node.valueRange.isEmpty {
                _ = context.card.add(node.tag, tree.value(of: node))
            }
        }
        context.staticData = staticData
        return (context, staticData)
    }

    /// The stage's first step.
    func start() throws -> (OfflineDataAuthentication, OfflineDataAuthentication.Step, TransactionContext) {
        let (context, _) = try read()
        var stage = OfflineDataAuthentication()
        let step = stage.start(context)
        return (stage, step, context)
    }

    /// The outcome of a method that ends in one step.
    func outcome() throws -> OfflineAuthenticationOutcome? {
        guard case .done(let outcome) = try start().1 else { return nil }
        return outcome
    }

    /// Every primitive object in every record, by record and tag.
    var objects: [(record: Int, node: TLVNode)] {
        records.indices.flatMap { index in
            (TLVTree(parsing: records[index].data).nodes.first?.children ?? []).map { (index, $0) }
        }
    }

    struct Unexpected: Error {}

    private static func selected(_ name: [UInt8], _ list: [UInt8]?) throws -> SelectedApplication {
        let entry = try #require(TerminalApplication.common.first { name.starts(with: $0.aid) })
        return SelectedApplication(aid: name, terminalEntry: entry, processingOptionsDataObjectList: list)
    }
}

extension EMVCardCore {
    static func simulated(_ name: String) throws -> EMVCardCore {
        EMVCardCore(profile: try #require(CardProfile.named(name)))
    }

    func answer(_ command: CommandAPDU) throws -> ResponseAPDU {
        try #require(ResponseAPDU(bytes: transmit(command.bytes)))
    }
}
