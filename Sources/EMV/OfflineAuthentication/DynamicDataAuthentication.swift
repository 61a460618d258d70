import BERTLV
import Crypto

/// DDA (Book 2, 6.5): the card signs what its DDOL asks the terminal for, a random number among it.
struct DynamicDataAuthentication: Sendable {
    private let key: RSAPublicKey
    private let data: [UInt8]

    /// Used when the card has no DDOL: the unpredictable number alone.
    static let defaultDataObjectList: [UInt8] = [0x9F, 0x37, 0x04]

    /// Recovers the card's key and builds what it is to sign.
    init(_ recovery: CardKeyRecovery, _ context: TransactionContext) throws(OfflineAuthenticationFailure) {
        key = try recovery.iccKey()
        let bytes = recovery.card[.dynamicDataObjectList] ?? Self.defaultDataObjectList
        // A card that asks for less than the whole number could replay a signature.
        guard let list = try? DataObjectList(parsing: bytes),
            list.entries.contains(where: { $0.tag == .unpredictableNumber && $0.length >= 4 })
        else { throw .dynamicDataObjectList }
        data = context.build(list)
    }

    /// INTERNAL AUTHENTICATE (Book 3, 6.5.9).
    var command: CommandAPDU {
        CommandAPDU(cla: 0x00, ins: 0x88, p1: 0, p2: 0, data: data, expectedLength: 256)
    }

    func evaluate(_ response: ResponseAPDU) -> OfflineAuthenticationOutcome {
        do throws(OfflineAuthenticationFailure) {
            guard response.status.isSuccess else { throw .refused(response.status) }
            let signature = try DynamicSignature(
                recovering: Self.signature(in: response.data), with: key, terminalData: data)
            return OfflineAuthenticationOutcome(
                method: .dynamicData, result: .dynamicDataSucceeded(iccDynamicNumber: signature.iccDynamicNumber))
        } catch {
            return OfflineAuthenticationOutcome(method: .dynamicData, result: .failed(error))
        }
    }

    /// Tag 9F4B from either response format.
    private static func signature(in data: [UInt8]) throws(OfflineAuthenticationFailure) -> [UInt8] {
        guard let template = SoleObject(parsing: data) else { throw .responseFormat }
        if template.tag == .responseFormat1 { return template.value }
        let children = template.children
        let signed = children.filter { $0.tag == .signedDynamicApplicationData }
        guard template.tag == .responseFormat2, signed.count == 1 else { throw .responseFormat }
        return children.value(of: signed[0])
    }
}
