/// How a message that may have to be repeated or reversed was identified. No card data is in it.
package struct TraceRecord: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable {
        case sale
        /// A sale that was approved without the host.
        case advice
        case refund
        case reversal
        /// Inquiries and network messages: a number is used, and nobody asks for it again.
        case other
    }

    /// The system trace audit number, field 11: 1 ... 999999.
    package let stan: Int
    package let kind: Kind
    /// Of a reversal: the attempt that is reversed. Nil of network messages.
    package let attempt: AttemptID?
    /// Field 0 of the message.
    package let messageType: String
    /// Field 7: MMDDhhmmss, Universal Time.
    package let transmission: String
    /// Fields 13 and 12: MMDDhhmmss, local.
    package let local: String
    /// Field 37: twelve characters.
    package let retrievalReference: String
    /// Field 4, in minor units, and field 49.
    package let minorUnits: Int64
    package let currency: UInt16
    /// Days since 1970-01-01 in Universal Time when the number was given out.
    package let day: Int

    /// Field 11: six digits.
    package var stanText: String { Self.padded(stan, 6) }

    /// One line of the file, fields with one space between them.
    var line: String {
        [
            String(day), stanText, kind.rawValue, attempt?.text ?? "-", messageType, transmission, local,
            retrievalReference, String(minorUnits), String(currency),
        ].joined(separator: " ")
    }

    init(
        stan: Int, kind: Kind, attempt: AttemptID?, messageType: String, transmission: String, local: String,
        retrievalReference: String, minorUnits: Int64, currency: UInt16, day: Int
    ) {
        self.stan = stan
        self.kind = kind
        self.attempt = attempt
        self.messageType = messageType
        self.transmission = transmission
        self.local = local
        self.retrievalReference = retrievalReference
        self.minorUnits = minorUnits
        self.currency = currency
        self.day = day
    }

    /// Nil when the line is damaged.
    init?(_ line: String) {
        let fields = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        guard fields.count == 10, let day = Int(fields[0]), let stan = Int(fields[1]), (1...999_999).contains(stan),
            let kind = Kind(rawValue: fields[2]), let minorUnits = Int64(fields[8]), let currency = UInt16(fields[9])
        else { return nil }
        let attempt = fields[3] == "-" ? nil : AttemptID(fields[3])
        guard (attempt == nil) == (fields[3] == "-"), fields[4].count == 4, fields[5].count == 10,
            fields[6].count == 10, fields[7].count == 12
        else { return nil }
        self.init(
            stan: stan, kind: kind, attempt: attempt, messageType: fields[4], transmission: fields[5], local: fields[6],
            retrievalReference: fields[7], minorUnits: minorUnits, currency: currency, day: day)
    }

    static func padded(_ number: Int, _ digits: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}
