import Crypto
import EMV
import Gateways
import Money

/// An advice as bytes, for the seal: its fields one after another, each behind its length in two bytes.
enum AdviceEncoding {
    /// Card data is in it: wipe it.
    static func bytes(_ advice: OfflineAdvice) -> [UInt8] {
        let request = advice.request
        // An advice has no other account.
        guard case .clear(let pan, let expiry) = request.account else { return [] }
        var writer = Writer()
        writer.add(advice.approval.rawValue)
        writer.add(request.attempt.text)
        writer.add(String(request.amount.minorUnits))
        writer.add(String(request.tip.minorUnits))
        writer.add(String(request.amount.currency.numeric))
        writer.add(String(request.instalments))
        pan.withDigits { writer.add($0) }
        writer.add(request.panSequenceNumber.map { String($0) } ?? "")
        writer.add(String(expiry.year))
        writer.add(String(expiry.month))
        writer.add(request.entryMode.rawValue)
        writer.add(request.chipData)
        writer.add(request.terminal.terminalID)
        writer.add(request.terminal.merchantID)
        writer.add(String(request.terminal.country))
        writer.add(request.moment.date)
        writer.add(request.moment.time)
        return writer.bytes
    }

    /// Nil when the bytes are not such a row.
    static func advice(_ bytes: [UInt8]) -> OfflineAdvice? {
        var reader = Reader(rest: bytes[...])
        guard let approval = reader.text().flatMap(OfflineAdvice.Approval.init),
            let attempt = reader.text().flatMap(AttemptID.init), let amount = reader.text().flatMap({ Int64($0) }),
            let tip = reader.text().flatMap({ Int64($0) }),
            let currency = reader.text().flatMap({ UInt16($0) }).flatMap(Currency.init(numeric:)),
            let total = Amount(minorUnits: amount, currency: currency),
            let tipAmount = Amount(minorUnits: tip, currency: currency),
            let instalments = reader.text().flatMap({ Int($0) }),
            let pan = reader.field().flatMap({ PAN(digits: Array($0)) }),
            let sequence = reader.text(), let year = reader.text().flatMap({ Int($0) }),
            let month = reader.text().flatMap({ Int($0) }), let expiry = CardExpiry(year: year, month: month),
            let mode = reader.text().flatMap(EntryMode.init), let chipData = reader.field(),
            let terminal = reader.text(), let merchant = reader.text(),
            let country = reader.text().flatMap({ UInt16($0) }),
            let date = reader.field(), let time = reader.field(),
            let moment = LocalDateTime(date: Array(date), time: Array(time)), reader.rest.isEmpty
        else { return nil }
        return OfflineAdvice(
            AuthorisationRequest(
                attempt: attempt, amount: total, tip: tipAmount, instalments: instalments, pan: pan,
                panSequenceNumber: UInt8(sequence), expiry: expiry, entryMode: mode, chipData: Array(chipData),
                terminal: TerminalIdentity(terminalID: terminal, merchantID: merchant, country: country),
                moment: moment), approval)
    }

    private struct Writer {
        var bytes: [UInt8]

        init() {
            bytes = []
            // Enough for every field, so that no growth leaves a copy behind.
            bytes.reserveCapacity(2_048)
        }

        mutating func add(_ text: String) { add(text.utf8) }

        /// At most 65,535 bytes: chip data are 255 at most, texts 64.
        mutating func add(_ field: some Collection<UInt8>) {
            let count = min(field.count, 0xFFFF)
            bytes += [UInt8(count >> 8), UInt8(count & 0xFF)]
            bytes += field.prefix(count)
        }
    }

    private struct Reader {
        var rest: ArraySlice<UInt8>

        mutating func field() -> ArraySlice<UInt8>? {
            let head = Array(rest.prefix(2))
            guard head.count == 2 else { return nil }
            let count = Int(head[0]) << 8 | Int(head[1])
            let field = rest.dropFirst(2).prefix(count)
            guard field.count == count else { return nil }
            rest = rest.dropFirst(2 + count)
            return field
        }

        mutating func text() -> String? {
            field().map { String(decoding: $0, as: UTF8.self) }
        }
    }
}
