import BERTLV

/// Tells the host of a sale that card and terminal have approved without it. It is no question: the goods are gone. Its
/// text form never shows card data.
public struct OfflineAdvice: Sendable {
    /// Tag 8A of an approval without the issuer (Book 4, Annex A6).
    public enum Approval: String, Sendable, Hashable, CaseIterable {
        /// By the card's first cryptogram: the issuer was not asked.
        case atOnce = "Y1"
        /// By its second: the issuer could not be reached.
        case unableToGoOnline = "Y3"
    }

    /// What would have been asked, with the data of the card's last cryptogram, a TC, in field 55.
    public let request: AuthorisationRequest
    public let approval: Approval

    /// Nil unless a chip has approved it: no stripe, no typed number, and no cryptogram but a TC (tag 9F27) that can be
    /// checked (9F26). The account must be in clear: encrypted card data go to the host at once or not at all. A PIN block is not for keeping (PCI PIN, requirement 4): with one there is no advice either.
    public init?(_ request: AuthorisationRequest, _ approval: Approval) {
        guard request.entryMode.isChip, request.pinBlock == nil, case .clear = request.account else { return nil }
        let tree = TLVTree(parsing: request.chipData, options: TLVOptions(depthLimit: 4, sizeLimit: 999))
        let value = { (tag: Tag) in tree.nodes.first { $0.tag == tag }.map(tree.value(of:)) }
        guard tree.isClean, let information = value(0x9F27), information.count == 1, information[0] & 0xC0 == 0x40,
            value(0x9F26)?.count == 8
        else { return nil }
        self.request = request
        self.approval = approval
    }
}

extension OfflineAdvice: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "\(approval.rawValue) \(request)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
