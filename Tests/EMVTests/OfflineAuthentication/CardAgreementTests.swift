import BERTLV
import Crypto
import FirmwareCores
import Testing

@testable import EMV

/// The simulated cards, which have their own cryptography, against the library.
struct CardAgreementTests {
    @Test(arguments: [("visa-sda", UInt8(0xC8)), ("visa-sda", 0x80), ("visa-dda", 0x80)])
    func staticDataAuthenticationSucceeds(name: String, methods: UInt8) throws {
        let card = try AuthenticatedCard(try .simulated(name), methods: methods)
        let outcome = try #require(try card.outcome())
        #expect(outcome.result == .staticDataSucceeded(dataAuthenticationCode: [0xDA, 0xC1]))
        var (context, _) = try card.read()
        outcome.apply(to: &context)
        #expect(context.tvr.bytes == [0x02, 0, 0, 0, 0])
        #expect(context.tsi.bytes == [0x80, 0])
        #expect(context.value(of: 0x9F45) == [0xDA, 0xC1])
    }

    @Test(arguments: ["visa-dda", "visa-dda-1984", "mastercard-cda", "pin-offline"])
    func dynamicDataAuthenticationSucceeds(name: String) throws {
        let chip = try EMVCardCore.simulated(name)
        let card = try AuthenticatedCard(chip, methods: 0xC0)
        let (stage, step, read) = try card.start()
        var context = read
        guard case .transmit(let command) = step else {
            Issue.record("no INTERNAL AUTHENTICATE: \(step)")
            return
        }
        let outcome = stage.receive(try chip.answer(command))
        guard case .dynamicDataSucceeded(let number) = outcome.result else {
            Issue.record("\(outcome.result)")
            return
        }
        #expect(number.count == 8)
        outcome.apply(to: &context)
        #expect(context.tvr.bytes == [0, 0, 0, 0, 0])
        #expect(context.tsi.bytes == [0x80, 0])
        #expect(context.value(of: 0x9F4C) == number)
        #expect(chip.log.last?.signatures == 1)
    }

    @Test func cardSignsWhatItsListAsksFor() throws {
        let chip = try EMVCardCore.simulated("visa-dda")
        guard case .transmit(let command) = try AuthenticatedCard(chip, methods: 0x40).start().1 else {
            Issue.record("no INTERNAL AUTHENTICATE")
            return
        }
        #expect(command.bytes == octets("008800000C 7FBC4049 000000011500 0484 00"))
    }

    @Test func anyChangeOfChallengeOrSignatureIsNoticed() throws {
        let chip = try EMVCardCore.simulated("visa-dda")
        let (stage, step, _) = try AuthenticatedCard(chip, methods: 0x40).start()
        guard case .transmit(var command) = step else {
            Issue.record("no INTERNAL AUTHENTICATE")
            return
        }
        let good = try chip.answer(command)
        for index in command.data.indices {
            command.data[index] ^= 1 << UInt8(index % 8)
            #expect(
                stage.receive(try chip.answer(command)).result == .failed(.dynamicSignature(.hash)), "byte \(index)")
            command.data[index] ^= 1 << UInt8(index % 8)
        }
        for index in good.data.indices {
            var answer = good
            answer.data[index] ^= 1 << UInt8(index % 8)
            let outcome = stage.receive(answer)
            guard case .failed = outcome.result else {
                Issue.record("a change of byte \(index) is not noticed")
                continue
            }
            #expect(outcome.verificationResults == [.dynamicDataAuthenticationFailed])
        }
        let refused = stage.receive(ResponseAPDU(status: StatusWord(0x6985)))
        #expect(refused.result == .failed(.refused(StatusWord(0x6985))))
    }

    @Test func encipheredPINIsTakenOnceForEachChallenge() throws {
        let chip = try EMVCardCore.simulated("pin-offline")
        let (context, staticData) = try AuthenticatedCard(chip).read()
        let recovery = CardKeyRecovery(context, staticData: staticData, keys: try .test())
        let key = try recovery.pinEnciphermentKey()
        #expect(key.modulus.count == 96)
        let filler = [UInt8](repeating: 0xA5, count: PINEncipherment.fillerLength(for: key))
        func verify(_ block: String) throws -> [UInt16] {
            let challenge = try chip.answer(PINEncipherment.challengeCommand)
            let command = try PINEncipherment.command(
                pinBlock: SecretBytes(octets(block)), challenge: challenge.data, filler: filler, key: key)
            #expect(command.bytes.prefix(5) == [0x00, 0x20, 0x00, 0x88, 96])
            return [try chip.answer(command).status.value, try chip.answer(command).status.value]
        }
        #expect(try verify("241235FFFFFFFFFF") == [0x63C2, 0x6985])
        #expect(try verify("241234FFFFFFFFFF") == [0x9000, 0x6985])
        #expect(try verify("251234FFFFFFFFFF") == [0x63C2, 0x6985])
        let plain = CommandAPDU(cla: 0, ins: 0x20, p1: 0, p2: 0x80, data: octets("241234FFFFFFFFFF"))
        #expect(try chip.answer(plain).status == .success)
    }

    @Test func cardWithoutPINKeyTakesThePINUnderItsSigningKey() throws {
        let chip = try EMVCardCore.simulated("visa-dda")
        let (context, staticData) = try AuthenticatedCard(chip).read()
        let recovery = CardKeyRecovery(context, staticData: staticData, keys: try .test())
        let key = try recovery.pinEnciphermentKey()
        #expect(try key == recovery.iccKey())
        let command = try PINEncipherment.command(
            pinBlock: SecretBytes(octets("241234FFFFFFFFFF")),
            challenge: try chip.answer(PINEncipherment.challengeCommand).data,
            filler: [UInt8](repeating: 0, count: 111), key: key)
        #expect(try chip.answer(command).status == .success)
    }

    @Test func pinNeedsAChallengeAndTheRightLengths() throws {
        let (context, staticData) = try AuthenticatedCard(try .simulated("pin-offline")).read()
        let key = try CardKeyRecovery(context, staticData: staticData, keys: try .test()).pinEnciphermentKey()
        func command(block: Int = 8, challenge: Int = 8, filler: Int = 79) throws(PINEncipherment.Failure) {
            _ = try PINEncipherment.command(
                pinBlock: SecretBytes([UInt8](repeating: 0, count: block)),
                challenge: [UInt8](repeating: 0, count: challenge), filler: [UInt8](repeating: 0, count: filler),
                key: key)
        }
        #expect(throws: Never.self) { try command() }
        #expect(throws: PINEncipherment.Failure.challenge) { try command(challenge: 7) }
        #expect(throws: PINEncipherment.Failure.length) { try command(block: 7) }
        #expect(throws: PINEncipherment.Failure.length) { try command(filler: 78) }
    }
}
