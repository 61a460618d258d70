import BERTLV
import Crypto
import SeededInput
import Testing

@testable import EMV
@testable import FirmwareCores

/// Anything may come from a card: nothing traps, nothing passes.
struct HostileCardTests {
    @Test func randomBytesAreNeverACertificateOrSignature() throws {
        let store = try CertificationAuthorityKeyStore.test()
        let authorities = try [0xD1, 0xD2, 0x94].map { index in
            try #require(store.key(provider: octets("A000000003"), index: index))
        }
        let pan = try #require(accountNumber("4761739001010119"))
        let date = CardDate(year: 2026, month: 6, day: 30)
        var numbers = SeededNumbers(seed: 0x0DA)
        for seed in 0..<5_000 {
            let authority = authorities[seed % 3]
            let key = authority.key
            // Mostly of the right length and below the modulus, so that RSA is reached.
            let length = numbers.next() % 4 == 0 ? Int(numbers.next() % 260) : key.modulus.count
            var signature = garbage(length, &numbers)
            if !signature.isEmpty, numbers.next() % 8 != 0 { signature[0] &= 0x7F }
            let rest = garbage(Int(numbers.next() % 48), &numbers)
            let objects = CertificateObjects(
                certificate: signature, remainder: seed % 2 == 0 ? rest : nil,
                exponent: seed % 3 == 0 ? [3] : Array(rest.prefix(3)))
            #expect(throws: CertificateFault.self) {
                try IssuerCertificate(recovering: objects, authority: authority, pan: pan, date: date, revoked: .init())
            }
            #expect(throws: CertificateFault.self) {
                try ICCCertificate(recovering: objects, issuerKey: key, staticData: rest, pan: pan, date: date)
            }
            #expect(throws: OfflineAuthenticationFailure.self) {
                try StaticDataAuthentication.dataAuthenticationCode(in: signature, key: key, staticData: rest)
            }
            #expect(throws: OfflineAuthenticationFailure.self) {
                try DynamicSignature(recovering: signature, with: key, terminalData: rest)
            }
        }
    }

    @Test func randomAnswersAndRecordsNeverPass() throws {
        let chip = try EMVCardCore.simulated("mastercard-cda")
        let card = try AuthenticatedCard(chip)
        let (context, staticData) = try card.read()
        let recovery = CardKeyRecovery(context, staticData: staticData, keys: card.keys)
        let combined = try CombinedDataAuthentication(
            recovery, processingOptionsData: [], unpredictableNumber: [1, 2, 3, 4])
        let dynamic = try DynamicDataAuthentication(recovery, context)
        var numbers = SeededNumbers(seed: 0x9F4B)
        for seed in 0..<5_000 {
            var answer = garbage(Int(numbers.next() % 64), &numbers)
            if seed % 2 == 0 {
                let signature = [0x3F] + garbage(127, &numbers)
                answer =
                    encodeTLV(0x9F27, [0x80]) + encodeTLV(0x9F36, [0, 1]) + encodeTLV(0x9F4B, signature)
                    + answer.prefix(Int(numbers.next() % 3))
                answer = encodeTLV(0x77, answer)
            }
            #expect(throws: OfflineAuthenticationFailure.self) { try combined.verifyFirst(answer, cdol1Data: answer) }
            guard case .failed = dynamic.evaluate(ResponseAPDU(data: answer, status: .success)).result else {
                Issue.record("seed \(seed) passes")
                continue
            }
            var data = StaticAuthenticationData()
            data.add(
                answer, from: .init(file: UInt8(1 + numbers.next() % 30), number: 1, isAuthenticated: true))
            _ = try? data.value(with: context.card)
        }
    }

    @Test func randomObjectsNeverGiveAKey() throws {
        var card = try AuthenticatedCard(try .simulated("visa-dda"))
        let tags: [ObjectTag] = [
            0x5A, 0x8F, 0x90, 0x92, 0x93, 0x9F2D, 0x9F2E, 0x9F2F, 0x9F32, 0x9F46, 0x9F47, 0x9F48, 0x9F49, 0x9F4A,
        ]
        let (good, staticData) = try card.read()
        var numbers = SeededNumbers(seed: 0x8F)
        for seed in 0..<5_000 {
            var context = good
            // At least one of what every method needs is nonsense.
            context.card.replace(0x90, garbage(Int(numbers.next() % 250), &numbers))
            for tag in tags where numbers.next() % 4 == 0 {
                context.card.replace(tag, garbage(Int(numbers.next() % 150), &numbers))
            }
            card.interchangeProfile[0] = UInt8(truncatingIfNeeded: numbers.next())
            context.card.replace(0x82, card.interchangeProfile)
            var stage = OfflineDataAuthentication()
            context.staticData = staticData
            let step = stage.start(context)
            guard case .done(let outcome) = step else {
                Issue.record("seed \(seed) gives a key")
                continue
            }
            #expect(outcome.recoveredObject == nil)
            let recovery = CardKeyRecovery(context, staticData: staticData, keys: card.keys)
            #expect(throws: OfflineAuthenticationFailure.self) { try recovery.pinEnciphermentKey() }
        }
    }

    /// Behind a valid signature and hash: fields of any content.
    @Test func signedNonsenseDoesNotTrap() throws {
        let profile = try #require(CardProfile.named("visa-dda"))
        let privateKey = try #require(profile.applications.first?.signingKey)
        let (context, staticData) = try AuthenticatedCard(EMVCardCore(profile: profile)).read()
        let key = try CardKeyRecovery(context, staticData: staticData, keys: try .test()).iccKey()
        let pan = try #require(accountNumber("4761739001010119"))
        let date = CardDate(year: 2026, month: 6, day: 30)
        var numbers = SeededNumbers(seed: 0x6A)
        for seed in 0..<48 {
            let format = UInt8(2 + seed % 4)
            var fields = garbage(key.modulus.count - 23, &numbers)
            let algorithms = format == 2 ? [9, 10] : format == 4 ? [15, 16] : [0]
            for index in algorithms { fields[index] = 0x01 }
            let message = [format] + fields
            let others = garbage(Int(numbers.next() % 8), &numbers)
            let signature = privateKey.apply(
                to: [0x6A] + message + CardSHA1.digest(message + others + [3]) + [0xBC])
            let signed = try SignedData(
                recovering: signature, with: key, format: try #require(SignedData.Format(rawValue: format)))
            try signed.verifyHash(with: others + [3])
            let objects = CertificateObjects(certificate: signature, remainder: others, exponent: [3])
            #expect(throws: CertificateFault.self) {
                try ICCCertificate(recovering: objects, issuerKey: key, staticData: [], pan: pan, date: date)
            }
            #expect(throws: OfflineAuthenticationFailure.self) {
                try DynamicSignature(recovering: signature, with: key, terminalData: others + [3])
            }
            #expect(throws: OfflineAuthenticationFailure.self) {
                try StaticDataAuthentication.dataAuthenticationCode(
                    in: signature, key: key, staticData: others + [3])
            }
        }
    }

    private func garbage(_ count: Int, _ numbers: inout SeededNumbers) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count + 8)
        while bytes.count < count {
            withUnsafeBytes(of: numbers.next()) { bytes += $0 }
        }
        return Array(bytes.prefix(count))
    }
}
