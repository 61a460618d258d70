import EMV
import Money
import ReaderWire

/// DATA of the commands that carry a payment, as the vendor's JavaScript builds them (docs/decisions.md says what is
/// unsettled).
enum QPOSRequests {
    /// Values of the card trade mode on which the vendor's JavaScript and C header agree.
    private static let anyInterface: UInt8 = 0x08
    private static let tapOnly: UInt8 = 0x07

    /// 16-20.
    static func trade(_ payment: ReaderPayment) -> [UInt8] {
        var data = field(amount(payment))
        data.append(payment.interfaces == [.contactless] ? tapOnly : anyInterface)
        // No currency icon; trade mode: the card is checked, no PIN at this stage.
        data += field([]) + [0x01]
        data += field(time(payment.time))
        // No random number, no extra data; key index; the amount is not entered at the reader but shown there.
        data += [0x00, 0x00, 0x00, 0x00, 0x01]
        data += [type(payment)] + payment.currencyCode
        // No text, format id, batch id, decimal point, log flag.
        data += [0x00, 0x00, 0x00, 0x00, 0x00]
        data += field([0x00]) + field(Array("141217".utf8))
        return data + blockSum(data)
    }

    /// 16-30.
    static func chip(_ payment: ReaderPayment) -> [UInt8] {
        let digits = amount(payment)
        let isLong = digits.count > 8
        var nibbles = [UInt8](repeating: 0x0F, count: (isLong ? 12 : 8) - digits.count)
        nibbles += digits.map { $0 & 0x0F }
        var data: [UInt8] = [0x00, type(payment)] + time(payment.time) + [isLong ? 0x06 : 0xFF]
        data += stride(from: 0, to: nibbles.count, by: 2).map { nibbles[$0] << 4 | nibbles[$0 + 1] }
        data += (isLong ? [] : [0x00, 0x00]) + payment.currencyCode
        return data + field(digits + [0x00]) + field([0x00]) + [0x14]
    }

    /// 16-51: in clear, contactless, every object (the vendor's C library).
    static let everyContactlessObject: [UInt8] = [0x00, 0x01, 0x01, 0x00]

    /// Minor units in ASCII digits.
    private static func amount(_ payment: ReaderPayment) -> [UInt8] { Array("\(payment.amount.minorUnits)".utf8) }

    /// 01 goods; 20 decimal is a refund.
    private static func type(_ payment: ReaderPayment) -> UInt8 { payment.kind == .refund ? 20 : 0x01 }

    /// YYYYMMDDhhmmss in BCD.
    private static func time(_ time: TransactionTime) -> [UInt8] {
        let century = max(0, min(99, time.year / 100))
        return [UInt8((century / 10) << 4 | century % 10)] + time.dateBCD + time.timeBCD
    }

    private static func field(_ value: [UInt8]) -> [UInt8] { [UInt8(truncatingIfNeeded: value.count)] + value }

    /// Exclusive-or of all blocks of eight bytes, the last filled up with zeros.
    private static func blockSum(_ data: [UInt8]) -> [UInt8] {
        var sum = [UInt8](repeating: 0, count: 8)
        for (place, byte) in data.enumerated() { sum[place % 8] ^= byte }
        return sum
    }
}
