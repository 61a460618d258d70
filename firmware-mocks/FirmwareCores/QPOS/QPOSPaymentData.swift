/// DATA of 16-20 as far as public sources agree on it: amount, card trade mode, time, transaction type and currency. The
/// tail is unsettled and not looked at.
struct QPOSTradeStart {
    /// Only 07 (tap) narrows what is taken: sources contradict each other on the others.
    let cardTradeMode: UInt8
    let objects: TerminalObjects

    /// Nil when amount or mode are missing. What is cut off after them is left out.
    init?(_ data: [UInt8]) {
        var fields = FieldReader(rest: data[...])
        guard let amount = fields.field(), amount.allSatisfy({ (0x30...0x39).contains($0) }), let mode = fields.byte()
        else { return nil }
        var objects = TerminalObjects()
        objects["9F02"] = QPOSPaymentData.numeric(amount)
        cardTradeMode = mode
        // Icon, trade mode, time; two empty fields, key index, two flags.
        if fields.field() != nil, fields.byte() != nil, let time = fields.field(), fields.take(5) != nil,
            let type = fields.byte(), let currency = fields.take(2)
        {
            QPOSPaymentData.set(time: time, type: type, in: &objects)
            objects["5F2A"] = currency
        }
        self.objects = objects
    }
}

/// DATA of 16-30: option, transaction type, time, then the amount twice.
struct QPOSChipStart {
    let objects: TerminalObjects

    /// Nil when something of it is missing.
    init?(_ data: [UInt8]) {
        var fields = FieldReader(rest: data[...])
        guard fields.byte() != nil, let type = fields.byte(), let time = fields.take(7), let form = fields.byte(),
            fields.take(form == 0x06 ? 6 : 4) != nil, let currency = fields.take(form == 0x06 ? 2 : 4),
            let amount = fields.field(), amount.last == 0x00,
            amount.dropLast().allSatisfy({ (0x30...0x39).contains($0) }), fields.field() != nil
        else { return nil }
        var objects = TerminalObjects()
        objects["9F02"] = QPOSPaymentData.numeric(amount.dropLast())
        objects["5F2A"] = Array(currency.suffix(2))
        QPOSPaymentData.set(time: time, type: type, in: &objects)
        self.objects = objects
    }
}

enum QPOSPaymentData {
    /// ASCII digits as twelve digits in BCD.
    static func numeric(_ digits: some Collection<UInt8>) -> [UInt8] {
        let text = String(repeating: "0", count: 12) + String(decoding: digits, as: UTF8.self)
        return bytes(fromHexadecimal: String(text.suffix(12))) ?? [0, 0, 0, 0, 0, 0]
    }

    /// YYYYMMDDhhmmss in BCD; 20 decimal is a refund.
    static func set(time: [UInt8], type: UInt8, in objects: inout TerminalObjects) {
        if time.count == 7 {
            objects["9A"] = Array(time[1...3])
            objects["9F21"] = Array(time[4...6])
        }
        objects["9C"] = [type == 20 ? 0x20 : 0x00]
    }
}

/// Takes length-prefixed fields from the front.
private struct FieldReader {
    var rest: ArraySlice<UInt8>

    mutating func byte() -> UInt8? { rest.popFirst() }

    mutating func take(_ count: Int) -> [UInt8]? {
        guard rest.count >= count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }

    mutating func field() -> [UInt8]? {
        guard let length = byte() else { return nil }
        return take(Int(length))
    }
}
