import BERTLV
import EMV

extension HostAnswer {
    /// What a reader's kernel is told: 8A, then 91, 71 and 72 wherever the host put them, in its order. Z3 where nobody
    /// answered (EMV Book 4, A6).
    var objectsForReader: [UInt8] {
        switch self {
        case .unableToGoOnline:
            return encodeTLV(0x8A, Array("Z3".utf8))
        case .answered(let code, _, let issuerData):
            let tree = TLVTree(parsing: issuerData)
            var data = encodeTLV(0x8A, code)
            var pending = Array(tree.nodes.reversed())
            while let node = pending.popLast() {
                if [0x91, 0x71, 0x72].contains(node.tag) {
                    data += encodeTLV(node.tag, tree.value(of: node))
                } else {
                    pending += node.children.reversed()
                }
            }
            return data
        }
    }
}
