/// What a QPOS reader says of itself: 10-00 and 11-30.
public struct QPOSIdentity: Sendable, Hashable {
    /// The reader's id: text where it is printable, else hexadecimal.
    public let readerID: String
    /// ASCII; nil when the reader does not tell.
    public let firmware: String?
    public let hardware: String?

    /// - Parameters:
    ///   - id: DATA of 10-00: PSAM id, reader id, and more, each behind its length.
    ///   - information: DATA of 11-30: versions of boot loader, firmware and hardware, and more.
    /// - Returns: nil when `id` is not such a list, which says that the device is another one.
    init?(id: [UInt8], information: [UInt8]?) {
        guard let fields = Self.fields(id), fields.count >= 2 else { return nil }
        readerID = Self.text(fields[1]) ?? fields[1].prefix(32).map { hex2($0).uppercased() }.joined()
        let versions = information.flatMap(Self.fields) ?? []
        firmware = versions.count > 1 ? Self.text(versions[1]) : nil
        hardware = versions.count > 2 ? Self.text(versions[2]) : nil
    }

    private static func fields(_ data: [UInt8]) -> [[UInt8]]? {
        var fields: [[UInt8]] = []
        var place = 0
        while place < data.count, fields.count < 32 {
            let end = place + 1 + Int(data[place])
            guard end <= data.count else { return nil }
            fields.append(Array(data[place + 1..<end]))
            place = end
        }
        return fields
    }

    /// Printable ASCII, at most 64 characters; nil when there is none, or anything else.
    private static func text(_ bytes: [UInt8]) -> String? {
        guard !bytes.isEmpty, bytes.allSatisfy({ (0x20...0x7E).contains($0) }) else { return nil }
        return String(decoding: bytes.prefix(64), as: UTF8.self)
    }
}
