import BERTLV
import EMV
import FirmwareCores
import Gateways
import Money
import Testing

@Suite(.judged) struct Field55JudgeTests {
    struct Answer: Decodable {
        let objects: [[String]]
        let containers: [String: [String]]

        init(from decoder: any Decoder) throws {
            var containers: [String: [String]] = [:]
            let content = try decoder.singleValueContainer().decode([String: DataTree].self)
            for (name, value) in content where name != "objects" { containers[name] = try Self.texts(value) }
            guard case .list(let items) = content["objects"] else { throw NotAnAnswer() }
            self.containers = containers
            objects = try items.map(Self.texts)
        }

        private struct NotAnAnswer: Error {}

        private static func texts(_ value: DataTree) throws -> [String] {
            guard case .list(let items) = value else { throw NotAnAnswer() }
            return try items.map { item in
                guard case .text(let text) = item else { throw NotAnAnswer() }
                return text
            }
        }
    }

    @Test("the chip data of every simulated card that asks its issuer is read back, from every container of field 55")
    func simulatedCards() async throws {
        var requests: [(name: String, data: [UInt8])] = []
        for profile in CardProfile.all {
            guard let kernel = try atTheIssuer(profile) else { continue }
            requests.append((profile.name, ChipData.request(kernel.onlineValue(of:))))
            let sent = TLVTree(parsing: ChipData.request(kernel.onlineValue(of:)))
            for node in sent.nodes {
                #expect(sent.value(of: node) == kernel.onlineValue(of: node.tag), "\(profile.name) \(node.tag)")
            }
        }
        #expect(requests.count >= 20, "\(requests.map(\.name))")
        try await judge(requests)
    }

    @Test("lengths at the edges of the containers are packed as the container says")
    func edges() async throws {
        try await judge(
            [7, 99, 100, 126, 127, 128, 129, 254, 255].map { count in
                let header = count > 0x82 ? 4 : 3
                return ("\(count) bytes", encodeTLV(0x9F10, [UInt8](repeating: 0xA5, count: count - header)))
            })
    }

    private func judge(_ requests: [(name: String, data: [UInt8])]) async throws {
        let answers = try await Judge(program: "field55.py").answers(
            to: requests.map { ["octets": hex($0.data)] }, as: Answer.self)
        for (request, answer) in zip(requests, answers) {
            let (name, data) = request
            let tree = TLVTree(parsing: data)
            #expect(tree.isClean && !tree.nodes.isEmpty, "\(name)")
            #expect(answer.objects == tree.nodes.map { ["\($0.tag)", hex(tree.value(of: $0))] }, "\(name)")
            #expect(answer.containers.count == 5)
            for (container, field) in answer.containers {
                let packed = try #require(Self.packed(data, container))
                #expect(field == [hex(packed), hex(data)], "\(name), \(container)")
            }
        }
    }

    /// By the words of the standard: the length in the container's digits, then the data.
    private static func packed(_ data: [UInt8], _ container: String) -> [UInt8]? {
        func digits(_ count: Int) -> [UInt8] { [count / 100, count / 10 % 10, count % 10].map { UInt8($0) } }
        switch container {
        case "ASCII LLL, binary": return digits(data.count).map { 0x30 | $0 } + data
        case "ASCII LLL, hex": return digits(data.count * 2).map { 0x30 | $0 } + hex(data).utf8
        case "EBCDIC LLL, binary": return digits(data.count).map { 0xF0 | $0 } + data
        case "BCD LLL, binary":
            let length = digits(data.count)
            return [length[0], length[1] << 4 | length[2]] + data
        case "one byte, binary": return [UInt8(data.count)] + data
        default: return nil
        }
    }

    /// The kernel with this card, at the moment when the issuer is asked; nil for a card that never gets there.
    private func atTheIssuer(_ profile: CardProfile) throws -> ContactKernel? {
        let card = EMVCardCore(profile: profile)
        guard card.powerOn() != nil else { return nil }
        var kernel = ContactKernel(
            terminal: .mexicanKiosk,
            transaction: TransactionData(
                amount: try #require(Amount(minorUnits: 12_345, currency: .mxn)),
                time: TransactionTime(year: 2026, month: 11, day: 30, hour: 10, minute: 20, second: 30),
                unpredictableNumber: [0x11, 0x22, 0x33, 0x44], sequenceCounter: 42))
        var step = kernel.start()
        for _ in 0..<100 {
            switch step {
            case .transmit(let command):
                guard let response = ResponseAPDU(bytes: card.transmit(command.bytes)) else { return nil }
                step = kernel.receive(response)
            case .chooseApplication: step = kernel.applicationChosen(0)
            case .askForPIN, .approveOffline, .finished: return nil
            case .goOnline: return kernel
            }
        }
        Issue.record("\(profile.name) never ends")
        return nil
    }
}
