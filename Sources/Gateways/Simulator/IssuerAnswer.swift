import BERTLV
import Crypto
import EMV

/// What the issuer says to the card: tag 91, and scripts in 71 and 72.
struct IssuerAnswer {
    let issuer: SimulatedIssuer
    let pan: PAN
    let panSequenceNumber: UInt8?
    let chip: VerifiedChip

    /// Tag 91 by the method of the card's scheme.
    func authenticationData(_ responseCode: ResponseCode) throws(CryptogramError) -> [UInt8] {
        let scheme = chip.cryptogram.scheme
        let code = IssuerAuthenticationData.code(
            of: scheme, responseCode: responseCode.bytes, approves: responseCode.isApproved || responseCode.isPartial)
        let data = try IssuerAuthenticationData(to: chip.value, of: chip.cryptogram, code: code)
        return encodeTLV(0x91, data.value)
    }

    /// The template of one script, its command's MAC at the end.
    func script(_ script: IssuerScript) throws(CryptogramError) -> [UInt8] {
        let header = script.header + [UInt8(script.data.count + 8)]
        let mac = try ScriptMAC.mac(
            key: try integrityKey(), header: header, counter: chip.counter, applicationCryptogram: chip.value,
            data: script.data, cipher: chip.cryptogram.scheme.cipher)
        var content: [UInt8] = []
        if !script.identifier.isEmpty { content += encodeTLV(0x9F18, script.identifier) }
        content += encodeTLV(0x86, header + script.data + mac)
        return encodeTLV(script.phase == .beforeFinalCryptogram ? 0x71 : 0x72, content)
    }

    private func integrityKey() throws(CryptogramError) -> SecretBytes {
        let cardKey = try issuer.cardKeyDerivation.cardKey(
            issuerMasterKey: issuer.scriptIntegrityKey, pan: pan, panSequenceNumber: panSequenceNumber)
        let scheme = chip.cryptogram.scheme
        return switch scheme {
        case .visa10, .visa18: try ScriptMAC.visaSessionKey(cardKey: cardKey, counter: chip.counter)
        case .visa22, .visa2C, .mChip16, .mChip17, .mChip20, .mChip21, .ccdA5, .ccdA6:
            try ScriptMAC.commonSessionKey(
                cardKey: cardKey, applicationCryptogram: chip.value, cipher: scheme.cipher)
        }
    }
}
