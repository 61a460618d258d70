/// The value of DFEE23: the tracks of a swiped card, in clear or masked, their encrypted copies, serial number and KSN.
enum NEO2Tracks {
    static func block(_ account: SecuredAccount, serial: String) -> [UInt8] {
        let shown = [account.shown.track1, account.shown.track2]
        let encrypted = [account.encrypted?.track1 ?? [], account.encrypted?.track2 ?? []]
        func flags(_ tracks: [[UInt8]]) -> UInt8 {
            tracks.enumerated().reduce(0) { $0 | ($1.element.isEmpty ? 0 : 1 << UInt8($1.offset)) }
        }
        let present = flags(shown)
        let hashed = flags(encrypted)
        var body: [UInt8] = [0x80, 0x07 | present << 3]
        body += shown.map { UInt8(truncatingIfNeeded: $0.count) } + [0]
        body += [0xA0 | present, hashed | hashed << 3 | (account.keySerialNumber == nil ? 0 : 0x80)]
        for track in shown { body += track }
        for track in encrypted { body += track }
        for track in encrypted where !track.isEmpty { body += [UInt8](repeating: 0, count: 20) }
        let name = Array(serial.utf8.prefix(10))
        body += name + [UInt8](repeating: 0x20, count: 10 - name.count)
        body += account.keySerialNumber ?? []
        let length = [UInt8(body.count & 0xFF), UInt8(body.count >> 8)]
        return [0x02] + length + body + [body.reduce(0, ^), body.reduce(0, &+), 0x03]
    }
}
