/// Data objects of a card, with the tags of Miura's public SDK: DFAE02 encrypted track, DFAE03 its key serial number,
/// DFAE22 masked track 2 of a stripe, DFAE57 of a chip, DFAE5A masked number.
enum MPIObjects {
    static func chip(_ result: TerminalResult) -> [UInt8] {
        let account = result.account
        var bytes = result.objects.bytes
        if let encrypted = account.encrypted, let serial = account.keySerialNumber {
            bytes += CardData.object([0xDF, 0xAE, 0x02], encrypted.track2Equivalent)
            bytes += CardData.object([0xDF, 0xAE, 0x03], serial)
        }
        if account.shown.track2.contains(UInt8(ascii: "*")) {
            bytes += CardData.object([0xDF, 0xAE, 0x57], account.shown.track2)
            bytes += CardData.object([0x5A], []) + CardData.object([0x57], [])
        } else {
            bytes += CardData.object([0x57], account.shown.track2Equivalent)
            bytes += CardData.object([0x5A], account.shown.accountNumber)
        }
        return bytes + CardData.object([0x5F, 0x20], account.cardholderName)
            + CardData.object([0x9F, 0x39], [result.entry.posEntryMode])
    }

    static func stripe(_ result: TerminalResult) -> [UInt8] {
        let account = result.account
        var bytes: [UInt8] = []
        if let encrypted = account.encrypted, let serial = account.keySerialNumber {
            bytes += CardData.object([0xDF, 0xAE, 0x02], encrypted.track2)
            bytes += CardData.object([0xDF, 0xAE, 0x03], serial)
        }
        if account.shown.track2.contains(UInt8(ascii: "*")) {
            bytes += CardData.object([0xDF, 0xAE, 0x22], account.shown.track2)
        } else {
            bytes += CardData.object([0x5F, 0x21], account.shown.track1)
            bytes += CardData.object([0x5F, 0x22], account.shown.track2)
        }
        return bytes
    }
}
