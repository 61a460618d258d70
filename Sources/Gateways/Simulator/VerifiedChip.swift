import BERTLV
import Crypto
import EMV
import Money

/// A chip whose cryptogram, of the kind that belongs to the message, the issuer has recomputed from the message's own field 55 and found right.
struct VerifiedChip: Sendable {
    let cryptogram: ApplicationCryptogram
    /// Tag 9F26 as sent.
    let value: [UInt8]
    /// Tag 9F36 as sent.
    let counter: [UInt8]

    struct Refusal: Error {
        let reason: IssuerDecision.Reason
        let scheme: CryptogramScheme?

        init(_ reason: IssuerDecision.Reason, _ scheme: CryptogramScheme? = nil) {
            self.reason = reason
            self.scheme = scheme
        }
    }

    /// - Parameter kind: bits 8 and 7 of tag 9F27: 80 an ARQC, 40 a TC.
    init(
        _ request: AuthorisationRequest, _ pan: PAN, of issuer: SimulatedIssuer, kind expected: UInt8 = 0x80
    ) throws(Refusal) {
        let tree = TLVTree(
            parsing: request.chipData, options: TLVOptions(depthLimit: 4, sizeLimit: Self.sizeLimit))
        guard tree.isClean else { throw Refusal(.chipDataUnreadable) }
        let object: (Tag) -> [UInt8]? = { tag in
            tree.nodes.first { $0.tag == tag }.map(tree.value(of:))
        }
        guard let sent = object(0x9F26), sent.count == 8, let kind = object(0x9F27), kind.count == 1,
            let issuerData = object(0x9F10), let counter = object(0x9F36)
        else { throw Refusal(.chipDataIncomplete) }
        guard kind[0] & 0xC0 == expected else {
            throw Refusal(expected == 0x80 ? .notARequestCryptogram : .notACertificate)
        }
        guard let data = IssuerApplicationData(issuerData, applicationIdentifier: issuer.provider),
            let scheme = data.scheme, scheme.cipher == issuer.cardKeyDerivation.cipher
        else { throw Refusal(.cannotVerify) }
        let cryptogram: ApplicationCryptogram
        let matches: Bool
        do throws(CryptogramError) {
            let cardKey = try issuer.cardKeyDerivation.cardKey(
                issuerMasterKey: issuer.cryptogramKey, pan: pan, panSequenceNumber: request.panSequenceNumber)
            cryptogram = try ApplicationCryptogram(
                scheme: scheme, issuerApplicationData: data, cardKey: cardKey, value: object)
            matches = try cryptogram.verifies(sent)
        } catch {
            throw Refusal(.chipDataIncomplete, scheme)
        }
        guard matches else { throw Refusal(.arqcInvalid, scheme) }
        guard object(0x9F02) == request.amount.bcd12 else { throw Refusal(.amountMismatch, scheme) }
        self.cryptogram = cryptogram
        value = sent
        self.counter = counter
    }

    /// Bytes of field 55 that are looked at: the most that any container carries.
    private static let sizeLimit = 999
}
