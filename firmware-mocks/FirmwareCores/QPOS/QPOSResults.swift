/// DATA of the reader's answers about a card.
enum QPOSResults {
    /// Card state, one byte that the host skips, then fields: tracks 1 to 3, format id, masked PAN, expiry, service code,
    /// name, PIN block, KSN of the tracks and of the PIN.
    static func card(_ state: UInt8, _ account: SecuredAccount) -> [UInt8] {
        let shown = Parts(account.shown)
        let tracks = account.encrypted ?? account.shown
        // Masked tracks are not handed out: the fields are for encrypted ones.
        let hasTracks = account.encrypted != nil || !shown.number.contains(UInt8(ascii: "*"))
        let fields: [[UInt8]] = [
            hasTracks ? tracks.track1 : [], hasTracks ? tracks.track2 : [], [], [], shown.number, shown.expiry,
            shown.serviceCode, account.cardholderName, [], account.keySerialNumber ?? [], [],
        ]
        return [state, 0x00] + fields.flatMap(QPOSMessage.field)
    }

    /// Encryption mode 00, outcome, kind, two fields without a name, then the objects with their length.
    static func emv(_ outcome: UInt8, _ kind: UInt8, _ objects: [UInt8]) -> [UInt8] {
        let length = [UInt8(objects.count >> 8 & 0xFF), UInt8(objects.count & 0xFF)]
        return [0x00, 0x00, outcome, kind, 0x00, 0x00] + length + objects
    }

    static func choice(_ labels: [String]) -> [UInt8] {
        [UInt8(truncatingIfNeeded: labels.count)]
            + labels.flatMap { [0x00, 0x00] + QPOSMessage.field(Array($0.utf8)) }
    }

    /// A result's objects. Secured: masked copies first, then encrypted ones; the masked number once more in C4, F for
    /// what is masked, and the key serial number in C0 (vendor's programming guide).
    static func objects(_ result: TerminalResult) -> [UInt8] {
        var objects = TerminalObjects()
        let account = result.account
        objects.append("57", account.shown.track2Equivalent)
        objects.append("5A", account.shown.accountNumber)
        if let encrypted = account.encrypted {
            objects.append("57", encrypted.track2Equivalent)
            objects.append("5A", encrypted.accountNumber)
            objects.append("C4", account.shown.accountNumber.map(unmasked))
        }
        if let serial = account.keySerialNumber { objects.append("C0", serial) }
        objects.append("5F20", account.cardholderName)
        return objects.bytes + result.objects.bytes
    }

    /// F in the place of the mask C.
    private static func unmasked(_ byte: UInt8) -> UInt8 {
        func nibble(_ nibble: UInt8) -> UInt8 { nibble == 0x0C ? 0x0F : nibble }
        return nibble(byte >> 4) << 4 | nibble(byte & 0x0F)
    }

    /// Of track 2, masked or not.
    private struct Parts {
        var number: [UInt8] = []
        var expiry: [UInt8] = []
        var serviceCode: [UInt8] = []

        init(_ account: AccountData) {
            let track = account.track2
            if let separator = track.firstIndex(of: UInt8(ascii: "=")) {
                number = Array(track[..<separator].dropFirst())
                expiry = Array(track[(separator + 1)...].prefix(4))
                serviceCode = Array(track[(separator + 1)...].dropFirst(4).prefix(3))
                if serviceCode.contains(UInt8(ascii: "*")) { serviceCode = [] }
            }
        }
    }
}
