import BERTLV
import EMV
import Money
import ReaderWire

/// The data of commands that carry a payment.
enum NEO2Requests {
    /// 02-40: a time-out in seconds, then data objects. DFEF37 only where one interface is wanted: what it says of
    /// several is not published.
    static func activation(_ payment: ReaderPayment, interfaces: Set<CardInterface>, seconds: UInt8) -> [UInt8] {
        var mask: [UInt8] = []
        if interfaces == [.magneticStripe] { mask = encodeTLV(0xDFEF37, [0x01]) }
        if interfaces == [.contactless] { mask = encodeTLV(0xDFEF37, [0x02]) }
        return [seconds] + objects(payment) + mask
    }

    /// 60-10: no stripe (what a reader tells the cardholder then is not published: this side falls back by itself), the
    /// time-outs for the card and for the dialogue in seconds, data objects.
    static func contact(_ payment: ReaderPayment, seconds: UInt16) -> [UInt8] {
        let time = [UInt8(seconds >> 8), UInt8(seconds & 0xFF)]
        return [0x00] + time + [0x00, 0x1E] + objects(payment)
    }

    /// 60-12: the issuer's answer.
    static func hostResponse(_ answer: HostAnswer) -> [UInt8] {
        switch answer {
        case .unableToGoOnline:
            return encodeTLV(0x8A, Array("Z3".utf8))
        case .answered(let code, _, let issuerData):
            let tree = TLVTree(parsing: issuerData)
            var data = encodeTLV(0x8A, code)
            // Hosts nest and order these as they like.
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

    private static func objects(_ payment: ReaderPayment) -> [UInt8] {
        let currency = payment.amount.currency
        return encodeTLV(0x9F02, payment.amount.bcd12) + encodeTLV(0x9F03, [0, 0, 0, 0, 0, 0])
            + encodeTLV(0x9A, payment.time.dateBCD) + encodeTLV(0x9F21, payment.time.timeBCD)
            + encodeTLV(0x9C, [payment.kind.rawValue]) + encodeTLV(0x5F2A, numeric(currency.numeric))
            + encodeTLV(0x5F36, [UInt8(truncatingIfNeeded: currency.exponent)])
    }

    /// Format n3 in two bytes.
    private static func numeric(_ code: UInt16) -> [UInt8] {
        [UInt8(truncatingIfNeeded: code / 100), UInt8(truncatingIfNeeded: (code / 10 % 10) << 4 | code % 10)]
    }
}
