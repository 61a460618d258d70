import BERTLV
import Crypto
import EMV
import SeededInput
import Testing

/// No package on the Python index does EMV's option C, so this judge is our own second implementation: it shares the
/// reading of Book 2 with the first, but none of its code, and computes all from the block cipher of `cryptography`.
@Suite(.judged) struct AESJudgeTests {
    struct Case: Sendable {
        let card: CryptogramCase
        let masterKey: [UInt8]
        let issuerData: [UInt8]

        var question: [String: String?] {
            card.question.merging(["imk": hex(masterKey), "9f10": hex(issuerData)]) { _, mine in mine }
                .filter { ["scheme", "option"].contains($0.key) == false }
        }
    }

    @Test("option C: keys, cryptograms, answers and scripts of 600 random cards are the judge's, bit for bit")
    func equal() async throws {
        var numbers = SeededNumbers(seed: 0xAE5)
        let cases = (0..<600).map { index in
            Case(
                card: CryptogramCase(index, &numbers), masterKey: numbers.octets(AES.keyLengths[index % 3]),
                issuerData: [0x0F, 0xA6, 0x01] + numbers.octets(13) + [0x0F] + numbers.octets(15))
        }
        let judged = try await Judge(program: "aes.py").answers(to: cases.map(\.question), as: [String: String].self)
        var differences: [String] = []
        var compared = 0
        for (index, (one, theirs)) in zip(cases, judged).enumerated() {
            let ours = try results(one)
            #expect(ours.count == theirs.count, "case \(index): the judge and we compute the same things")
            for (name, value) in ours.sorted(by: { $0.key < $1.key }) {
                compared += 1
                if hex(value) != theirs[name] { differences.append("case \(index), \(name)") }
            }
        }
        #expect(compared == 600 * 7)
        #expect(differences.isEmpty, "\(differences.count): \(differences.prefix(10))")
    }

    /// The names are the judge's.
    private func results(_ one: Case) throws -> [String: [UInt8]] {
        let card = one.card
        let data = try #require(IssuerApplicationData(one.issuerData))
        #expect(data.scheme == .ccdA6)
        let cardKey = try CardKeyDerivation.optionC.cardKey(
            issuerMasterKey: SecretBytes(one.masterKey), pan: #require(PAN(digits: card.number)),
            panSequenceNumber: card.sequence)
        let counter = try #require(card.objects[0x9F36])
        let sessionKey = try SessionKeyDerivation.commonSessionKey.sessionKey(
            cardKey: cardKey, counter: counter, unpredictableNumber: [0, 0, 0, 0], cipher: .aes)
        let cryptogram = try ApplicationCryptogram(
            scheme: .ccdA6, issuerApplicationData: data, cardKey: cardKey, value: { card.objects[$0] })
        #expect(cryptogram.responseKey == sessionKey)
        let code = card.statusUpdate + card.proprietary
        let answer = try IssuerAuthenticationData(to: card.sent, of: cryptogram, code: code)
        #expect(answer.value == answer.arpc + code)
        let scriptKey = try ScriptMAC.commonSessionKey(
            cardKey: cardKey, applicationCryptogram: card.sent, cipher: .aes)
        return [
            "card key": octets(cardKey), "session key": octets(sessionKey), "cryptogram": try cryptogram.value(),
            "arpc": answer.arpc, "script key": octets(scriptKey),
            "script MAC": try ScriptMAC.mac(
                key: scriptKey, header: card.header, counter: counter, applicationCryptogram: card.sent,
                data: card.command, cipher: .aes),
            "script data": try ScriptConfidentiality.commonCoreAES.encrypted(card.command, key: scriptKey),
        ]
    }

    private func octets(_ key: SecretBytes) -> [UInt8] { key.withBytes { Array($0) } }
}
