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

    private static func objects(_ payment: ReaderPayment) -> [UInt8] {
        let currency = payment.amount.currency
        return encodeTLV(0x9F02, payment.amount.bcd12) + encodeTLV(0x9F03, [0, 0, 0, 0, 0, 0])
            + encodeTLV(0x9A, payment.time.dateBCD) + encodeTLV(0x9F21, payment.time.timeBCD)
            + encodeTLV(0x9C, [payment.kind.rawValue]) + encodeTLV(0x5F2A, payment.currencyCode)
            + encodeTLV(0x5F36, [UInt8(truncatingIfNeeded: currency.exponent)])
    }
}
