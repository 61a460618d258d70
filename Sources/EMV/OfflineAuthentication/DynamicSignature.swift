import Crypto

/// Tag 9F4B with its signature undone and its hash checked (Book 2, 6.5.2 and 6.6.2).
struct DynamicSignature: Sendable, Hashable {
    /// Tag 9F4C, two to eight bytes.
    let iccDynamicNumber: [UInt8]
    /// What follows it in the ICC dynamic data: nothing that EMV defines in DDA, cryptogram and hash in CDA.
    let rest: [UInt8]

    /// - Parameter terminalData: DDOL data in DDA, the unpredictable number in CDA.
    init(
        recovering signature: [UInt8], with key: RSAPublicKey, terminalData: [UInt8]
    ) throws(OfflineAuthenticationFailure) {
        do throws(CertificateFault) {
            let signed = try SignedData(recovering: signature, with: key, format: .dynamicApplicationData)
            try signed.checkHashAlgorithm(at: 1)
            let fields = signed.message
            let length = Int(fields[2])
            guard length >= 1, length <= fields.count - 3 else { throw .dynamicData }
            guard fields.dropFirst(3 + length).allSatisfy({ $0 == 0xBB }) else { throw .padding }
            try signed.verifyHash(with: terminalData)
            let data = fields[3..<3 + length]
            let count = Int(fields[3])
            guard (2...8).contains(count), count < length else { throw .dynamicData }
            iccDynamicNumber = Array(data.dropFirst().prefix(count))
            rest = Array(data.dropFirst(1 + count))
        } catch {
            throw .dynamicSignature(error)
        }
    }
}
