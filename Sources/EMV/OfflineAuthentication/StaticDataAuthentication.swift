import BERTLV
import Crypto

/// SDA (Book 2, 5.4): the issuer signed the card's data once and for all.
enum StaticDataAuthentication {
    static func perform(_ recovery: CardKeyRecovery) -> OfflineAuthenticationOutcome {
        do throws(OfflineAuthenticationFailure) {
            try recovery.require([.signedStaticApplicationData])
            let key = try recovery.issuerKey()
            let data = try recovery.staticData.value(with: recovery.card)
            let code = try dataAuthenticationCode(
                in: recovery.card[.signedStaticApplicationData] ?? [], key: key, staticData: data)
            return OfflineAuthenticationOutcome(
                method: .staticData, result: .staticDataSucceeded(dataAuthenticationCode: code))
        } catch {
            return OfflineAuthenticationOutcome(method: .staticData, result: .failed(error))
        }
    }

    /// Tag 9F45, two bytes, from tag 93.
    static func dataAuthenticationCode(
        in signature: [UInt8], key: RSAPublicKey, staticData: [UInt8]
    ) throws(OfflineAuthenticationFailure) -> [UInt8] {
        do throws(CertificateFault) {
            let signed = try SignedData(recovering: signature, with: key, format: .staticApplicationData)
            try signed.checkHashAlgorithm(at: 1)
            guard signed.message.dropFirst(4).allSatisfy({ $0 == 0xBB }) else { throw .padding }
            try signed.verifyHash(with: staticData)
            return Array(signed.message[2..<4])
        } catch {
            throw .staticSignature(error)
        }
    }
}
