import BERTLV
import Crypto

/// The records that the AFL marks for offline data authentication, gathered as they are read (Book 3, 10.3).
struct StaticAuthenticationData: Sendable {
    private var records: [UInt8] = []
    private var hasForeignRecord = false

    init() {}

    /// Takes a record as READ RECORD answered it; does nothing unless it is marked. SFI 1 to 10 give the value of the 70,
    /// SFI 11 to 30 the whole 70.
    mutating func add(_ data: [UInt8], from record: ApplicationFileLocator.Record) {
        guard record.isAuthenticated else { return }
        var reader = TLVReader(range: 0..<data.count)
        guard case .object(let item)? = reader.next(in: data.span), item.tag == .recordTemplate,
            reader.next(in: data.span) == nil
        else {
            hasForeignRecord = true
            return
        }
        records += record.file <= 10 ? data[item.valueRange] : data[item.offset..<item.valueRange.upperBound]
    }

    /// The static data to be authenticated: the records, then the AIP when 9F4A asks for it.
    func value(with card: CardObjects) throws(OfflineAuthenticationFailure) -> [UInt8] {
        guard !hasForeignRecord else { throw .recordNotTemplate }
        guard let list = card[.staticDataAuthenticationTagList] else { return records }
        guard list == Tag.applicationInterchangeProfile.bytes else { throw .staticDataTagList }
        return records + (card[.applicationInterchangeProfile] ?? [])
    }

    /// Overwrites what was gathered: it holds the account number.
    mutating func wipe() {
        Crypto.wipe(&records)
        hasForeignRecord = false
    }
}

extension StaticAuthenticationData: CustomStringConvertible, CustomReflectable {
    var description: String { "\(records.count) bytes of static data" }
    var customMirror: Mirror { Mirror(self, children: []) }
}
