import BERTLV

/// GENERATE AC (Book 3, 6.5.5).
enum GenerateAC {
    /// Nil when the DOL is missing, malformed or longer than 252 bytes of data.
    static func command(
        _ type: CryptogramType, dol tag: Tag, withSignature: Bool = false, _ context: inout TransactionContext
    ) -> CommandAPDU? {
        guard let bytes = context.card[tag], let list = try? DataObjectList(parsing: bytes) else { return nil }
        context.prepareCertificateHash(for: list)
        let data = context.build(list)
        guard data.count <= 252 else { return nil }
        if tag == .cdol1 { context.cdol1Data = data } else { context.cdol2Data = data }
        // P1 bit 5 asks for a signature over the answer: CDA (table 12).
        let parameter = type.rawValue | (withSignature ? CombinedDataAuthentication.requestBit : 0)
        return CommandAPDU(cla: 0x80, ins: 0xAE, p1: parameter, p2: 0, data: data, expectedLength: 256)
    }
}
