import BERTLV
import FirmwareCores
import Testing

@testable import EMV

/// One bit changed in every byte of everything that a card says before offline data authentication.
struct BitChangeTests {
    /// Which failures a change of an object may give; empty when the object is not signed.
    private func expected(
        _ tag: ObjectTag, isSigned: Bool, hash: OfflineAuthenticationFailure
    ) -> (OfflineAuthenticationFailure) -> Bool {
        switch tag {
        case 0x8F: { $0 == .certificationAuthorityKeyMissing }
        case 0x90: { if case .issuerCertificate = $0 { true } else { false } }
        case 0x92, 0x9F32: { $0 == .issuerCertificate(.hash) }
        case 0x93: { if case .staticSignature = $0 { true } else { false } }
        case 0x9F46: { if case .iccCertificate = $0 { true } else { false } }
        case 0x9F47, 0x9F48: { $0 == .iccCertificate(.hash) }
        case 0x9F4A: { $0 == .staticDataTagList }
        // The static data are checked first where there is no certificate of the account number.
        case 0x5A: { $0 == hash || $0 == .issuerCertificate(.issuerIdentifier) || $0 == .dataMissing([0x5A]) }
        default: { isSigned && $0 == hash }
        }
    }

    private func checkEveryByte(
        of name: String, methods: UInt8, hash: OfflineAuthenticationFailure, ignored: Set<ObjectTag>
    ) throws -> Int {
        let card = try AuthenticatedCard(try .simulated(name), methods: methods)
        var changes = 0
        for (record, node) in card.objects {
            let isSigned = card.records[record].place.isAuthenticated
            for index in node.valueRange {
                var changed = card
                changed.records[record].data[index] ^= 1 << UInt8(index % 8)
                let step = try changed.start().1
                changes += 1
                guard case .done(let outcome) = step, case .failed(let failure) = outcome.result else {
                    #expect(ignored.contains(node.tag), "\(node.tag) at \(index)")
                    continue
                }
                // A list that no longer asks for the number is noticed, one that asks for something else is built.
                if node.tag == 0x9F49, failure == .dynamicDataObjectList { continue }
                let isExpected = expected(node.tag, isSigned: isSigned, hash: hash)
                #expect(isExpected(failure), "\(node.tag) at \(index): \(failure)")
                #expect(!ignored.contains(node.tag))
            }
        }
        return changes
    }

    @Test func staticDataAuthenticationNoticesEveryChange() throws {
        let changes = try checkEveryByte(
            of: "visa-sda", methods: 0x80, hash: .staticSignature(.hash), ignored: [0x57, 0x5F20])
        #expect(changes > 400)
    }

    @Test func dynamicDataAuthenticationNoticesEveryChange() throws {
        // 93 is not looked at in DDA; a changed 9F49 or 57 makes no difference to the certificates.
        let changes = try checkEveryByte(
            of: "visa-dda", methods: 0x40, hash: .iccCertificate(.hash), ignored: [0x57, 0x5F20, 0x93, 0x9F49])
        #expect(changes > 600)
    }

    @Test func combinedDataAuthenticationNoticesEveryChange() throws {
        let changes = try checkEveryByte(
            of: "mastercard-cda", methods: 0x08, hash: .iccCertificate(.hash), ignored: [0x57, 0x5F20, 0x9F49])
        #expect(changes > 450)
    }

    @Test(arguments: [("visa-sda", UInt8(0x80)), ("visa-dda", 0x40), ("mastercard-cda", 0x08)])
    func changedInterchangeProfileIsNoticed(name: String, methods: UInt8) throws {
        var card = try AuthenticatedCard(try .simulated(name), methods: methods)
        card.interchangeProfile[1] ^= 0x01
        let outcome = try #require(try card.outcome())
        let isHash = [.failed(.staticSignature(.hash)), .failed(.iccCertificate(.hash))].contains(outcome.result)
        #expect(isHash)
    }

    @Test func headersOfRecordsAreSignedAboveFile10Only() throws {
        var card = try AuthenticatedCard(try .simulated("visa-sda"), methods: 0x80)
        let above = try #require(card.records.firstIndex { $0.place.file == 11 })
        let below = try #require(card.records.firstIndex { $0.place.file == 2 })
        // The same value with a longer length form, for which only the header differs.
        func lengthen(_ data: [UInt8]) -> [UInt8] { [data[0], 0x81] + data.dropFirst() }
        card.records[below].data = lengthen(card.records[below].data)
        #expect(try card.outcome()?.result == .staticDataSucceeded(dataAuthenticationCode: [0xDA, 0xC1]))
        card.records[above].data = lengthen(card.records[above].data)
        #expect(try card.outcome()?.result == .failed(.staticSignature(.hash)))
    }

    @Test func orderOfRecordsIsSigned() throws {
        var card = try AuthenticatedCard(try .simulated("visa-sda"), methods: 0x80)
        let signed = card.records.indices.filter { card.records[$0].place.isAuthenticated }
        card.records.swapAt(signed[0], signed[1])
        #expect(try card.outcome()?.result == .failed(.staticSignature(.hash)))
    }
}
