import BERTLV
import Crypto

/// CDA (Book 2, 6.6): the card signs its cryptogram together with everything that was exchanged. The keys are recovered
/// before terminal action analysis; GENERATE AC then carries `requestBit` when `CombinedDataRequestMode` says so.
///
/// When the card's answer fails here, the cryptogram counts for nothing: TVR and TSI are noted from a failed outcome, a TC
/// is declined offline, and an ARQC is not sent but followed at once by a request for an AAC with the response code Z1.
/// When no answer is ever signed, because an AAC was asked for or given or the mode asks for no signature, CDA was not
/// performed: the TVR says so as soon as it is certain, and the TSI does not say otherwise.
struct CombinedDataAuthentication: Sendable {
    private let key: RSAPublicKey
    /// As they were sent to the card: what GET PROCESSING OPTIONS had inside tag 83.
    private let processingOptionsData: [UInt8]
    private let unpredictableNumber: [UInt8]

    /// P1 of GENERATE AC: a signature is wanted. Never together with an AAC.
    static let requestBit: UInt8 = 0x10

    /// Recovers the card's key.
    init(
        _ recovery: CardKeyRecovery, processingOptionsData: [UInt8], unpredictableNumber: [UInt8]
    ) throws(OfflineAuthenticationFailure) {
        key = try recovery.iccKey()
        self.processingOptionsData = processingOptionsData
        self.unpredictableNumber = unpredictableNumber
    }

    /// A signed answer to GENERATE AC that holds what it says.
    struct Signed: Sendable, Hashable {
        /// Tag 9F4C, two to eight bytes.
        let iccDynamicNumber: [UInt8]
        /// Tag 9F26, eight bytes: in the signature, not in the answer.
        let applicationCryptogram: [UInt8]
        /// The answer as if it had come unsigned, with 9F26 in the place of 9F4B: for `CryptogramResponse`.
        let response: [UInt8]

        var outcome: OfflineAuthenticationOutcome {
            OfflineAuthenticationOutcome(
                method: .combinedData, result: .dynamicDataSucceeded(iccDynamicNumber: iccDynamicNumber))
        }
    }

    /// Checks the answer to the first GENERATE AC. Only for an answer that is not an AAC, which comes unsigned.
    func verifyFirst(_ response: [UInt8], cdol1Data: [UInt8]) throws(OfflineAuthenticationFailure) -> Signed {
        try verify(response, sent: processingOptionsData + cdol1Data)
    }

    /// Checks the answer to the second GENERATE AC, likewise.
    func verifySecond(
        _ response: [UInt8], cdol1Data: [UInt8], cdol2Data: [UInt8]
    ) throws(OfflineAuthenticationFailure) -> Signed {
        try verify(response, sent: processingOptionsData + cdol1Data + cdol2Data)
    }

    private func verify(_ response: [UInt8], sent: [UInt8]) throws(OfflineAuthenticationFailure) -> Signed {
        guard let template = SoleObject(parsing: response), template.tag == .responseFormat2
        else { throw .responseFormat }
        var objects: [Tag: [UInt8]] = [:]
        var answered: [UInt8] = []
        var unsigned: [UInt8] = []
        let children = template.children
        for node in children {
            let value = children.value(of: node)
            guard objects.updateValue(value, forKey: node.tag) == nil else { throw .responseFormat }
            guard node.tag != .signedDynamicApplicationData else { continue }
            let bytes = response[node.offset..<node.valueRange.upperBound]
            answered += bytes
            unsigned += bytes
        }
        guard let information = objects[.cryptogramInformationData], information.count == 1,
            objects[.applicationTransactionCounter]?.count == 2, objects[.applicationCryptogram] == nil,
            let signature = objects[.signedDynamicApplicationData]
        else { throw .responseFormat }

        let recovered = try DynamicSignature(
            recovering: signature, with: key, terminalData: unpredictableNumber)
        let fields = recovered.rest
        guard fields.count >= 1 + 8 + SHA1.length else { throw .dynamicSignature(.dynamicData) }
        guard fields[0] == information[0] else { throw .cryptogramInformation }
        let cryptogram = Array(fields[1..<9])
        guard (try? SHA1.digest(of: sent + answered)) == Array(fields[9..<29]) else { throw .transactionDataHash }
        unsigned += encodeTLV(.applicationCryptogram, cryptogram)
        return Signed(
            iccDynamicNumber: recovered.iccDynamicNumber, applicationCryptogram: cryptogram,
            response: encodeTLV(.responseFormat2, unsigned))
    }
}
