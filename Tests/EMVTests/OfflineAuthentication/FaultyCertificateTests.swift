import Crypto
import FoundationEssentials
import Testing

@testable import EMV

/// Certificates that the right key made, with one fault each: scripts/make-test-authority.py.
struct FaultyCertificateTests {
    struct Row: Decodable, Sendable, CustomTestStringConvertible {
        let kind: String
        let name: String
        let certificate: String
        let remainder: String
        let exponent: String
        let fault: String?
        var testDescription: String { "\(kind): \(name)" }

        var objects: CertificateObjects {
            CertificateObjects(
                certificate: octets(certificate), remainder: remainder.isEmpty ? nil : octets(remainder),
                exponent: octets(exponent))
        }
    }

    struct File: Decodable, Sendable {
        let issuerModulus: String
        let chipModulus: String
        let staticData: String
        let terminalData: String
        let rows: [Row]
    }

    static let file = try? JSONDecoder().decode(File.self, from: Data(PackageResources.faulty_certificates_json))

    @Test func thereAreRowsOfEveryKind() throws {
        let file = try #require(Self.file)
        #expect(file.rows.count > 70)
        for kind in ["issuer", "icc", "static", "dynamic"] {
            #expect(file.rows.contains { $0.kind == kind && $0.fault == nil })
            #expect(file.rows.contains { $0.kind == kind && $0.fault != nil })
        }
    }

    @Test(arguments: file?.rows ?? [])
    func faultIsFound(row: Row) throws {
        let fault: CertificateFault?
        do throws(CertificateFault) {
            try recover(row)
            fault = nil
        } catch {
            fault = error
        }
        #expect(fault?.rawValue == row.fault)
    }

    private func recover(_ row: Row) throws(CertificateFault) {
        guard let file = Self.file, let pan = accountNumber("4761739001010119"),
            let store = try? CertificationAuthorityKeyStore.test(),
            let authority = store.key(provider: octets("A000000003"), index: 0xD1),
            let issuerKey = try? RSAPublicKey(modulus: octets(file.issuerModulus), exponent: [3]),
            let chipKey = try? RSAPublicKey(modulus: octets(file.chipModulus), exponent: [3]),
            let withdrawn = CertificateRevocationList.Entry(
                provider: authority.provider, index: 0xD1, serialNumber: [0x00, 0xBA, 0xD0])
        else {
            Issue.record("the test's own data is unusable")
            return
        }
        let date = CardDate(year: 2026, month: 6, day: 30)
        do throws(OfflineAuthenticationFailure) {
            switch row.kind {
            case "static":
                let code = try StaticDataAuthentication.dataAuthenticationCode(
                    in: octets(row.certificate), key: issuerKey, staticData: octets(file.staticData))
                #expect(code == [0xDA, 0xC1])
                return
            case "dynamic":
                let signature = try DynamicSignature(
                    recovering: octets(row.certificate), with: chipKey, terminalData: octets(file.terminalData))
                #expect((2...8).contains(signature.iccDynamicNumber.count))
                return
            default: break
            }
        } catch {
            switch error {
            case .staticSignature(let fault), .dynamicSignature(let fault): throw fault
            default:
                Issue.record("\(error)")
                return
            }
        }
        if row.kind == "issuer" {
            _ = try IssuerCertificate(
                recovering: row.objects, authority: authority, pan: pan, date: date,
                revoked: CertificateRevocationList([withdrawn]))
        } else {
            _ = try ICCCertificate(
                recovering: row.objects, issuerKey: issuerKey, staticData: octets(file.staticData), pan: pan,
                date: date)
        }
    }
}
