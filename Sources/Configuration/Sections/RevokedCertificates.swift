public import EMV
import JSONText

/// `terminal.revokedCertificates`: issuer certificates that a scheme has withdrawn (Book 2, 5.1.2).
public struct RevokedCertificates: Sendable, Hashable {
    /// In the order of the file.
    public let entries: [CertificateRevocationList.Entry]

    init(_ terminal: ObjectReader) {
        let read = terminal.objects("revokedCertificates", count: 0...1000) { object in
            let provider = object.required("provider", .bytes(5))
            let index = object.required("index", .bytes(1))
            let serial = object.required("serial", .bytes(3))
            return provider.flatMap { provider in
                CertificateRevocationList.Entry(
                    provider: provider, index: index?.first ?? 0, serialNumber: serial ?? [])
            }
        }
        entries = read?.compactMap { $0 } ?? []
    }

    var member: JSONValue.Member {
        .init(
            "revokedCertificates",
            .array(
                entries.map { entry in
                    .object([
                        "provider": .string(HexText.text(entry.provider)),
                        "index": .string(HexText.text([entry.index])),
                        "serial": .string(HexText.text(entry.serialNumber)),
                    ])
                }))
    }
}
