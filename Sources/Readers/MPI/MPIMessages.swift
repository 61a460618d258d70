import BERTLV
import ReaderWire

/// 48 in E1: what is in the slot, and what was swiped (the vendor's public SDK).
struct MPICardStatus: Sendable {
    let isCardPresent: Bool
    /// The card in the slot answered as a chip card.
    let isChipReadable: Bool
    /// Tracks were read.
    let hasStripe: Bool
    /// Everything that came with it.
    let objects: ToldCard

    /// Nil for other messages.
    init?(_ message: MPIResponse) {
        guard message.template == .cardData, message.isSuccess,
            let told = ToldCard(parsing: message.data, MPIReader.vendorTags),
            let status = told.objects[0x48], status.count >= 2
        else { return nil }
        isCardPresent = status[0] & 0x01 != 0
        isChipReadable = status[0] & 0x02 != 0
        hasStripe = status[1] & 0x01 != 0
        objects = told
    }
}

/// What a transaction's answer says.
enum MPIDecision: Sendable {
    /// Labels.
    case choice([String])
    case online(ToldCard)
    case approved(ToldCard)
    case declined(ToldCard)

    /// Nil for an answer that decides nothing: a success without one of the templates, or a damaged one.
    init?(_ answer: MPIResponse) {
        guard answer.isSuccess, let template = answer.template, Self.isOneTemplate(answer.data),
            let told = ToldCard(parsing: answer.data, MPIReader.vendorTags)
        else { return nil }
        switch template {
        case .decisionRequest, .decisionRequestVIPA: self = .choice(Self.labels(answer.data))
        case .onlineRequest: self = .online(told)
        case .approved: self = .approved(told)
        case .declined: self = .declined(told)
        case .hostRequest, .cardData, .deviceStatus: return nil
        }
    }

    /// Nothing is left over: a message whose first packet was lost does not look like this.
    private static func isOneTemplate(_ data: [UInt8]) -> Bool {
        let tree = TLVTree(parsing: data)
        return tree.isClean && tree.nodes.count == 1 && tree.nodes[0].valueRange.upperBound == data.count
    }

    private static func labels(_ data: [UInt8]) -> [String] {
        TLVTree(parsing: data).all(0x50).map { printableLabel($0) }
    }
}

/// What an MPI or VIPA reader says of itself.
public struct MPIIdentity: Sendable, Hashable {
    /// DF0D: "MPI", for example.
    public let software: String?
    /// DF7F.
    public let version: String?
    /// 9F1E.
    public let serialNumber: String?

    /// - Parameter data: of the answer to D0 02. Nil when it is not data objects.
    init?(_ data: [UInt8]) {
        let tree = TLVTree(parsing: data)
        guard tree.isClean, !tree.nodes.isEmpty else { return nil }
        func text(_ tag: Tag) -> String? {
            guard let value = tree.first(tag), !value.isEmpty, value.allSatisfy({ (0x20...0x7E).contains($0) }) else {
                return nil
            }
            return String(decoding: value.prefix(64), as: UTF8.self)
        }
        software = text(0xDF0D)
        version = text(0xDF7F)
        serialNumber = text(0x9F1E)
    }
}
