/// The cryptogram side of a chip: its keys, the bytes that go into a cryptogram, the issuer application data.
struct CardCryptography: Sendable {
    enum Kind: String, Sendable, CaseIterable {
        /// Cryptogram version 10: the card key itself, padding 1, ARPC method 1.
        case visa10 = "visa-10"
        /// Cryptogram version 18: common session key, padding 2, ARPC method 2.
        case visa18 = "visa-18"
        /// M/Chip cryptogram version 16: proprietary session key, padding 2, ARPC method 1 with the card key.
        case mchip16 = "mchip-16"
        /// Visa cryptogram version '22': as 18, with issuer application data of 32 bytes.
        case visa22 = "visa-22"
        /// M/Chip 17: as 16, with the counters.
        case mchip17 = "mchip-17"
        /// M/Chip 20: as 16, with the common session key, which makes the ARPC, too.
        case mchip20 = "mchip-20"
        /// M/Chip 21: as 20, with the counters.
        case mchip21 = "mchip-21"
        /// Common core definitions, cryptogram version 5: as Visa 18, with issuer application data of 32 bytes.
        case ccd = "ccd"
        /// The same with AES: cryptogram version 6.
        case ccdAES = "ccd-aes"

        var isMChip: Bool { [.mchip16, .mchip17, .mchip20, .mchip21].contains(self) }

        fileprivate var cipher: CardKey.Cipher { self == .ccdAES ? .aes : .tripleDES }

        /// Second byte of M/Chip's 9F10.
        fileprivate var mChipVersion: UInt8 {
            switch self {
            case .mchip17: 0x11
            case .mchip20: 0x14
            case .mchip21: 0x15
            default: 0x10
            }
        }

        fileprivate static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }
    }

    enum CryptogramType: UInt8, Sendable, Hashable {
        case declined = 0x00
        case approved = 0x40
        case online = 0x80
    }

    let kind: Kind
    private let cryptogramKey: CardKey
    private let messagingKey: CardKey

    init(
        kind: String, authority: String, account: [UInt8], sequenceNumber: UInt8?, file: String
    ) throws(CardProfileError) {
        guard let kind = Kind(rawValue: kind) else {
            throw CardProfileError(file, "cryptogram must be one of \(Kind.names)")
        }
        guard let authority = TestAuthority(rawValue: authority),
            let issuerKey = CardKey(authority.cryptogramKey, cipher: kind.cipher),
            let messaging = CardKey(authority.messagingKey, cipher: kind.cipher)
        else { throw CardProfileError(file, "authority must be visa, mastercard or common-core") }
        let number = String(hexadecimal(account).prefix { $0.isWholeNumber })
        let sequence = sequenceNumber ?? 0
        let sequenceDigits = (sequence >> 4) * 10 + (sequence & 0x0F)
        self.init(
            kind: kind, cryptogramKey: issuerKey.cardKey(pan: number, sequenceNumber: sequenceDigits),
            messagingKey: messaging.cardKey(pan: number, sequenceNumber: sequenceDigits))
    }

    init(kind: Kind, cryptogramKey: CardKey, messagingKey: CardKey) {
        self.kind = kind
        self.cryptogramKey = cryptogramKey
        self.messagingKey = messagingKey
    }

    /// The eight terminal objects in the order in which every version takes them.
    private static let terminalObjects: [(tag: String, length: Int)] = [
        ("9F02", 6), ("9F03", 6), ("9F1A", 2), ("95", 5), ("5F2A", 2), ("9A", 3), ("9C", 1), ("9F37", 4),
    ]

    /// 9F26.
    func cryptogram(
        terminal: [String: [UInt8]], interchangeProfile: [UInt8], counter: UInt16, applicationData: [UInt8]
    ) -> UInt64 {
        var message: [UInt8] = []
        for (tag, length) in Self.terminalObjects {
            let value = terminal[tag] ?? []
            message += value.count == length ? value : [UInt8](repeating: 0, count: length)
        }
        message += interchangeProfile + [UInt8(counter >> 8), UInt8(counter & 0xFF)]
        let key = sessionKey(counter: counter, unpredictable: terminal["9F37"] ?? [])
        switch kind {
        case .visa10:
            message += applicationData.dropFirst(3).prefix(4)
            return key.mac(message, padding: .method1)
        case .visa18, .visa22, .ccd, .ccdAES:
            message += applicationData
            return key.mac(message, padding: .method2)
        case .mchip16, .mchip20:
            message += applicationData.dropFirst(2).prefix(6)
            return key.mac(message, padding: .method2)
        case .mchip17, .mchip21:
            message += applicationData.dropFirst(2).prefix(6) + applicationData.dropFirst(10).prefix(8)
            return key.mac(message, padding: .method2)
        }
    }

    /// 9F10. `first` is the type of the first cryptogram, `second` that of the second once it was asked for.
    func applicationData(
        first: CryptogramType, second: CryptogramType?, issuerAuthentication: IssuerAuthentication, pinTries: UInt8
    ) -> [UInt8] {
        let types = (second?.rawValue ?? 0x80) & 0xC0 | first.rawValue >> 2
        switch kind {
        case .visa10, .visa18:
            let failed: UInt8 = issuerAuthentication == .failed ? 0x08 : 0x00
            let missing: UInt8 = second != nil && issuerAuthentication == .notPerformed ? 0x04 : 0x00
            return [0x06, 0x01, kind == .visa10 ? 0x0A : 0x12, 0x03, types | failed, missing, 0x00]
        case .visa22:
            let failed: UInt8 = issuerAuthentication == .failed ? 0x08 : 0x00
            let missing: UInt8 = second != nil && issuerAuthentication == .notPerformed ? 0x04 : 0x00
            return [0x1F, 0x22, 0x01, 0x00, types | failed, missing, 0x00, 0x00]
                + [UInt8](repeating: 0, count: 24)
        case .ccd, .ccdAES:
            let failed: UInt8 = issuerAuthentication == .failed ? 0x01 : 0x00
            let missing: UInt8 = second != nil && issuerAuthentication == .notPerformed ? 0x02 : 0x00
            let version: UInt8 = kind == .ccdAES ? 0xA6 : 0xA5
            let results: [UInt8] = [types | failed | missing, pinTries << 4, 0x00, 0x00, 0x00]
            let head = [0x0F, version, 0x01] + results
            return head + [UInt8](repeating: 0, count: 8) + [0x0F] + [UInt8](repeating: 0, count: 15)
        case .mchip16, .mchip17, .mchip20, .mchip21:
            let performed: UInt8 = issuerAuthentication == .notPerformed ? 0x00 : 0x10
            let failed: UInt8 = issuerAuthentication == .failed ? 0x04 : 0x00
            let head: [UInt8] = [
                0x01, kind.mChipVersion, types, performed, pinTries & 0x0F, 0x00, failed, 0x00,
            ]
            // DAC or dynamic number, then the counters, which are not zero where the cryptogram covers them.
            let counters: UInt8 = kind == .mchip17 || kind == .mchip21 ? 0x11 : 0x00
            return head + [0, 0] + [UInt8](repeating: counters, count: 8)
        }
    }

    enum IssuerAuthentication: Sendable, Hashable {
        case notPerformed, passed, failed
    }

    /// Lengths of 91 that this card takes.
    var authenticationLengths: ClosedRange<Int> {
        [.visa18, .visa22, .ccd, .ccdAES].contains(kind) ? 8...16 : 10...10
    }

    /// Whether 91 answers this cryptogram.
    func accepts(_ issuerData: [UInt8], cryptogram: UInt64, counter: UInt16) -> Bool {
        guard authenticationLengths.contains(issuerData.count) else { return false }
        switch kind {
        case .visa10, .mchip16, .mchip17, .mchip20, .mchip21:
            let code = UInt64(issuerData[8]) << 56 | UInt64(issuerData[9]) << 48
            let isCommon = kind == .mchip20 || kind == .mchip21
            let key = isCommon ? sessionKey(counter: counter, unpredictable: []) : cryptogramKey
            return DESBlock.bytes(key.encrypt(cryptogram ^ code)) == Array(issuerData.prefix(8))
        case .visa18, .visa22, .ccd, .ccdAES:
            let message = DESBlock.bytes(cryptogram) + issuerData.dropFirst(4)
            let key = sessionKey(counter: counter, unpredictable: [])
            return DESBlock.bytes(key.mac(message, padding: .method2)).prefix(4) == issuerData.prefix(4)
        }
    }

    /// Whether a script command ends with the right MAC. `header` is CLA INS P1 P2 Lc; `data` includes the MAC.
    func accepts(scriptHeader header: [UInt8], data: [UInt8], cryptogram: UInt64, counter: UInt16) -> Bool {
        guard data.count >= 8 else { return false }
        let key =
            kind != .visa10 && kind != .visa18
            ? messagingKey.sessionKey(diversifier: DESBlock.bytes(cryptogram))
            : messagingKey.visaMessagingKey(counter: counter)
        let message =
            header + [UInt8(counter >> 8), UInt8(counter & 0xFF)] + DESBlock.bytes(cryptogram) + data.dropLast(8)
        return DESBlock.bytes(key.mac(message, padding: .method2)) == Array(data.suffix(8))
    }

    private func sessionKey(counter: UInt16, unpredictable: [UInt8]) -> CardKey {
        let count = [UInt8(counter >> 8), UInt8(counter & 0xFF)]
        switch kind {
        case .visa10: return cryptogramKey
        case .visa18, .visa22, .ccd, .ccdAES, .mchip20, .mchip21:
            return cryptogramKey.sessionKey(diversifier: count + [0, 0, 0, 0, 0, 0])
        case .mchip16, .mchip17: return cryptogramKey.sessionKey(diversifier: count + [0, 0] + unpredictable.prefix(4))
        }
    }
}
