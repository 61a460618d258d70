import EMV
import SeededInput
import Testing

struct KeyFileTests {
    @Test func testKeysAreSound() throws {
        #expect(try CertificationAuthorityKeyStore.test().count == 5)
        #expect(CertificationAuthorityKeyStore.empty.count == 0)
    }

    static let modulus = String(repeating: "C1", count: 64)
    /// SHA-1 of A000000003, 05, the modulus and 03.
    static let checkValue = "1027A52296C47CA714D0C3AF6647ADBB7741FBDD"

    private func file(
        provider: String = "A000000003", index: String = "05", modulus: String = KeyFileTests.modulus,
        exponent: String = "03", check: String = KeyFileTests.checkValue, more: String = "", revoked: String = ""
    ) -> [UInt8] {
        let key = """
            {"provider":"\(provider)","index":"\(index)","modulus":"\(modulus)","exponent":"\(exponent)",
             "checkValue":"\(check)"\(more)}
            """
        return Array(#"{"keys":[\#(key)],"revoked":[\#(revoked)]}"#.utf8)
    }

    private func complaint(_ json: [UInt8]) -> String? {
        do throws(CertificationAuthorityKeyFileError) {
            _ = try CertificationAuthorityKeyStore(json: json)
            return nil
        } catch {
            return error.description
        }
    }

    @Test func goodFileIsRead() throws {
        let store = try CertificationAuthorityKeyStore(
            json: file(
                more: #","expires":"2031-12-31","note":"x""#,
                revoked: #"{"provider":"A000000003","index":"05","serial":"000001"}"#))
        let key = try #require(store.key(provider: octets("A000000003"), index: 5))
        #expect(key.expires == CardDate(year: 2031, month: 12, day: 31))
        #expect(store.revoked.count == 1)
        #expect(complaint(Array(#"{"keys":[]}"#.utf8)) == nil)
    }

    @Test func everyFieldIsCheckedAndNamed() {
        #expect(complaint(file(provider: "A0000003")) == "keys[0].provider has 4 bytes")
        #expect(complaint(file(provider: "A00000000G")) == "keys[0].provider is not hexadecimal")
        #expect(complaint(file(provider: "A00000000")) == "keys[0].provider is not hexadecimal")
        #expect(complaint(file(index: "0505")) == "keys[0].index has 2 bytes")
        #expect(complaint(file(index: "")) == "keys[0].index has 0 bytes")
        #expect(complaint(file(modulus: "C1")) == "keys[0].modulus has 1 bytes")
        #expect(
            complaint(file(modulus: Self.modulus + "C2")) == "keys[0].modulus is even or begins with a zero byte")
        #expect(
            complaint(file(modulus: "00" + Self.modulus)) == "keys[0].modulus is even or begins with a zero byte")
        #expect(complaint(file(exponent: "02")) == "keys[0].exponent is neither 03 nor 010001")
        #expect(complaint(file(exponent: "010001")) == "keys[0].checkValue does not belong to this key")
        #expect(complaint(file(index: "06")) == "keys[0].checkValue does not belong to this key")
        #expect(complaint(file(check: "00")) == "keys[0].checkValue has 1 bytes")
        let date = "keys[0].expires is not a date like 2031-12-31"
        for text in ["2031-02-30", "31-12-31", "2031/12/31", "2031-12-31-", "1999-12-31", "2050-01-01", "", "20é1-1"] {
            #expect(complaint(file(more: #","expires":"\#(text)""#)) == date, "\(text)")
        }
        #expect(complaint(file(more: #","expires":5"#)) == "keys[0].expires has the wrong type")
        #expect(
            complaint(file(revoked: #"{"provider":"A000000003","index":"05","serial":"01"}"#))
                == "revoked[0].serial has 1 bytes")
        #expect(complaint(file(revoked: #"{"provider":"A000000003","index":"05"}"#)) == "revoked[0].serial is missing")
        #expect(complaint(Array(#"{"keys":[{"provider":"A000000003"}]}"#.utf8)) == "keys[0].index is missing")
        #expect(complaint(Array("{}".utf8)) == "keys is missing")
        #expect(complaint(Array("[".utf8)) == "is not JSON of a key file")
    }

    @Test func keyThatComesTwiceIsRefused() {
        let one = String(decoding: file(), as: UTF8.self)
        let key = one.dropFirst(#"{"keys":["#.count).prefix { $0 != "}" } + "}"
        let json = Array(#"{"keys":[\#(key),\#(key)]}"#.utf8)
        #expect(complaint(json) == "keys[1].index is there twice")
    }

    @Test func damagedFilesAreRefused() {
        let good = file(revoked: #"{"provider":"A000000003","index":"05","serial":"000001"}"#)
        var numbers = SeededNumbers(seed: 0x15)
        for _ in 0..<500 {
            var json = good
            let place = Int(numbers.next() % UInt64(json.count))
            // Within the key, where every character counts.
            json[place] = json[place] == UInt8(ascii: "0") ? UInt8(ascii: "1") : UInt8(ascii: "0")
            let isInRevoked = place >= good.count - 80
            #expect(isInRevoked || complaint(json) != nil, "byte \(place)")
            #expect(complaint(Array(good.prefix(place))) != nil)
        }
    }
}
