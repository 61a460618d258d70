import BERTLV
import Crypto
import EMV
import SeededInput
import Testing

@Suite(.judged) struct CryptogramJudgeTests {
    private static let judgedSchemes: Set<CryptogramScheme> = [
        .visa10, .visa18, .visa22, .mChip16, .mChip17, .mChip20, .mChip21,
    ]

    @Test("keys, cryptograms, answers and scripts of 500 random cards are those of pyemv, bit for bit")
    func equalToPyemv() async throws {
        var numbers = SeededNumbers(seed: 0x1501)
        let cases = (0..<500).map { CryptogramCase($0, &numbers) }
        let judged = try await Judge(program: "cryptograms.py").answers(
            to: cases.map(\.question), as: [String: String].self)
        var differences: [String] = []
        var compared = 0
        for (index, (one, theirs)) in zip(cases, judged).enumerated() {
            var ours = try steps(one)
            if Self.judgedSchemes.contains(one.scheme) {
                try ours.merge(scheme(one)) { first, _ in first }
            }
            #expect(ours.count == theirs.count, "case \(index): the judge and we compute the same things")
            for (name, value) in ours.sorted(by: { $0.key < $1.key }) {
                compared += 1
                if hex(value) != theirs[name] { differences.append("case \(index), \(one.scheme), \(name)") }
            }
        }
        #expect(compared > 500 * 30)
        #expect(differences.isEmpty, "\(differences.count): \(differences.prefix(10))")
    }

    /// The names are the judge's.
    private func steps(_ one: CryptogramCase) throws -> [String: [UInt8]] {
        var results: [String: [UInt8]] = [
            "card key a": octets(try cardKey(one, .optionA)), "card key b": octets(try cardKey(one, .optionB)),
        ]
        let card = try cardKey(one, one.derivation)
        let counter = try #require(one.objects[0x9F36])
        let number = try #require(one.objects[0x9F37])
        for derivation in SessionKeyDerivation.allCases {
            let key = try derivation.sessionKey(cardKey: card, counter: counter, unpredictableNumber: number)
            let algorithm = try ISO9797Algorithm3(key: key)
            results["session key \(derivation)"] = octets(key)
            results["cryptogram 1 \(derivation)"] = try algorithm.mac(of: one.message, padding: .method1)
            results["cryptogram 2 \(derivation)"] = try algorithm.mac(of: one.message, padding: .method2)
            results["arpc 1 \(derivation)"] = try ARPC.method1(
                key: key, applicationCryptogram: one.sent, responseCode: one.arc)
            results["arpc 2 \(derivation)"] = try ARPC.method2(
                key: key, applicationCryptogram: one.sent, cardStatusUpdate: one.statusUpdate,
                proprietaryData: one.proprietary)
        }
        let scripts = [
            "visa": try ScriptMAC.visaSessionKey(cardKey: card, counter: counter),
            "common": try ScriptMAC.commonSessionKey(cardKey: card, applicationCryptogram: one.sent),
        ]
        for (name, key) in scripts {
            results["script key \(name)"] = octets(key)
            results["script MAC \(name)"] = try ScriptMAC.mac(
                key: key, header: one.header, counter: counter, applicationCryptogram: one.sent, data: one.command)
            for method in [ScriptConfidentiality.visa, .mChip, .commonCore] {
                results["script data \(method) \(name)"] = try method.encrypted(one.command, key: key)
            }
        }
        return results
    }

    /// The whole way from the message's objects, as the issuer goes it.
    private func scheme(_ one: CryptogramCase) throws -> [String: [UInt8]] {
        let data = try #require(IssuerApplicationData(one.objects[0x9F10] ?? []))
        #expect(data.scheme == one.scheme)
        let card = try cardKey(one, one.derivation)
        let counter = try #require(one.objects[0x9F36])
        let cryptogram = try ApplicationCryptogram(
            scheme: one.scheme, issuerApplicationData: data, cardKey: card, value: { one.objects[$0] })
        let code = one.scheme.responseMethod == .method1 ? one.arc : one.statusUpdate + one.proprietary
        let answer = try IssuerAuthenticationData(to: one.sent, of: cryptogram, code: code)
        #expect(answer.value == answer.arpc + code)
        let usesCounter = one.scheme == .visa10 || one.scheme == .visa18
        let script =
            usesCounter
            ? try ScriptMAC.visaSessionKey(cardKey: card, counter: counter)
            : try ScriptMAC.commonSessionKey(cardKey: card, applicationCryptogram: one.sent)
        let isVisa = usesCounter || one.scheme == .visa22
        return [
            "scheme cryptogram": try cryptogram.value(), "scheme arpc": answer.arpc,
            "scheme script MAC": try ScriptMAC.mac(
                key: script, header: one.header, counter: counter, applicationCryptogram: one.sent, data: one.command),
            "scheme script data": try (isVisa ? ScriptConfidentiality.visa : .mChip)
                .encrypted(one.command, key: script),
        ]
    }

    private func cardKey(_ one: CryptogramCase, _ derivation: CardKeyDerivation) throws -> SecretBytes {
        try derivation.cardKey(
            issuerMasterKey: SecretBytes(one.masterKey), pan: #require(PAN(digits: one.number)),
            panSequenceNumber: one.sequence)
    }

    private func octets(_ key: SecretBytes) -> [UInt8] { key.withBytes { Array($0) } }
}
