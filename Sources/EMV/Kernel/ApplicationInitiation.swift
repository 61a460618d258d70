import BERTLV

/// GET PROCESSING OPTIONS (Book 3, 10.1): fills the PDOL, reads AIP and AFL from either response format.
enum ApplicationInitiation {
    enum Result: Sendable {
        case initiated(interchangeProfile: [UInt8], fileLocator: [UInt8], others: [(Tag, [UInt8])])
        /// 6985: this application is not for this transaction; another one may be.
        case conditionsNotSatisfied
        case cardError(String)
    }

    /// Nil when the card's PDOL is malformed or asks for more than 252 bytes.
    static func command(_ context: inout TransactionContext) -> CommandAPDU? {
        let value: [UInt8]
        if let bytes = context.application?.processingOptionsDataObjectList {
            guard let list = try? DataObjectList(parsing: bytes) else { return nil }
            value = context.build(list)
        } else {
            value = []
        }
        guard value.count <= 252 else { return nil }
        context.processingOptionsData = value
        return CommandAPDU(
            cla: 0x80, ins: 0xA8, p1: 0, p2: 0, data: encodeTLV(.commandTemplate, value), expectedLength: 256)
    }

    static func evaluate(_ response: ResponseAPDU) -> Result {
        if response.status.value == 0x6985 { return .conditionsNotSatisfied }
        guard response.status.isSuccess else { return .cardError("GET PROCESSING OPTIONS answered \(response.status)") }
        guard let template = SoleObject(parsing: response.data) else {
            return .cardError("GET PROCESSING OPTIONS answered malformed data")
        }
        switch template.tag {
        case .responseFormat1:
            let value = template.value
            guard value.count >= 6, (value.count - 2) % 4 == 0 else {
                return .cardError("response format 1 has \(value.count) bytes")
            }
            return .initiated(
                interchangeProfile: Array(value.prefix(2)), fileLocator: Array(value.dropFirst(2)), others: [])
        case .responseFormat2:
            let children = template.children
            let objects = children.filter { !$0.tag.isConstructed }.map { ($0.tag, children.value(of: $0)) }
            guard let profile = objects.first(where: { $0.0 == .applicationInterchangeProfile })?.1, profile.count == 2,
                let locator = objects.first(where: { $0.0 == .applicationFileLocator })?.1
            else { return .cardError("AIP or AFL is missing") }
            guard !objects.map(\.0).hasRepetition else { return .cardError("an object is there twice") }
            let others = objects.filter { $0.0 != .applicationInterchangeProfile && $0.0 != .applicationFileLocator }
            return .initiated(interchangeProfile: profile, fileLocator: locator, others: others)
        default:
            return .cardError("GET PROCESSING OPTIONS answered template \(template.tag)")
        }
    }
}
