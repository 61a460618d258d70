import BERTLV
import EMV
import Testing

/// EMV fact vectors, published with jPOS's JCESecurityModuleTest and pyemv.
@Suite struct ARPCTests {
    struct Method1: Sendable {
        let key: String
        let cryptogram: String
        let responseCode: String
        let arpc: String
    }

    static let card = "DCE992BCE398C264F7858AFD4C4A324A"
    static let short = "F84315C7B95BD3B0C74694922C3808B0"
    static let method1 = [
        Method1(key: card, cryptogram: "26C8A1042D1CAF3E", responseCode: "3030", arpc: "98DE7C7B3D80A831"),
        Method1(key: card, cryptogram: "2263CD868F3E0234", responseCode: "3030", arpc: "5A1D15A96C035C4F"),
        Method1(
            key: "F2A75194C2B954A4163E9886BCA45473", cryptogram: "55BE45DD2C9E0CBF", responseCode: "0012",
            arpc: "01BAE8DE6A0DE9E0"),
        Method1(key: card, cryptogram: "AC8074C9E62EE6EF", responseCode: "0012", arpc: "5B5B712F9A644774"),
        Method1(key: short, cryptogram: "4B46013359B7A58B", responseCode: "0000", arpc: "F8C9CECAABD55AD1"),
        Method1(key: short, cryptogram: "922F3E83125EB46B", responseCode: "0000", arpc: "8AE6E836084B0E80"),
        Method1(key: short, cryptogram: "2E141C6BC4A20DA8", responseCode: "0000", arpc: "16A49AAB314B9262"),
        Method1(
            key: "946DC1A8C78A624519BC4645CB073737", cryptogram: "19C1FBC83EBDC0D5", responseCode: "0000",
            arpc: "78A372523FA35A03"),
        Method1(
            key: "154F349D8585CB7F6B0798E9839B10C1", cryptogram: "29CCA15AE665FA2E", responseCode: "3030",
            arpc: "28993816AFAE4AEB"),
    ]

    @Test("method 1 gives the published ARPC", arguments: method1)
    func first(vector: Method1) throws {
        let arpc = try ARPC.method1(
            key: key(vector.key), applicationCryptogram: octets(vector.cryptogram),
            responseCode: octets(vector.responseCode))
        #expect(arpc == octets(vector.arpc))
    }

    @Test("method 1 with a session key gives the published ARPC")
    func firstWithSessionKey() throws {
        let sessionKey = try SessionKeyDerivation.derive(
            from: key("946DC1A8C78A624519BC4645CB073737"), diversifier: octets("1234567890123456"))
        let arpc = try ARPC.method1(
            key: sessionKey, applicationCryptogram: octets("19C1FBC83EBDC0D5"), responseCode: octets("0000"))
        #expect(arpc == octets("C3620580668E5B65"))
    }

    struct Method2: Sendable {
        let cardKey: String
        let diversifier: String
        let cryptogram: String
        let update: String
        let proprietary: String
        let arpc: String
    }

    static let method2 = [
        Method2(
            cardKey: card, diversifier: "3456000000000000", cryptogram: "55BE45DD2C9E0CBF", update: "00120000",
            proprietary: "", arpc: "B4C698B6"),
        Method2(
            cardKey: short, diversifier: "1234567890123456", cryptogram: "4B46013359B7A58B", update: "00000000",
            proprietary: "", arpc: "7DFB1188"),
        Method2(
            cardKey: short, diversifier: "1234567890123456", cryptogram: "4B46013359B7A58B", update: "00000000",
            proprietary: "1234567890ABCDEF", arpc: "4962B76C"),
        Method2(
            cardKey: "F767ECC2263B2C543775CB62AB6B57D6", diversifier: "1234567890123456",
            cryptogram: "5760EE07B4FA65D1", update: "00000000", proprietary: "", arpc: "106B81D9"),
        Method2(
            cardKey: "1C13AE23B54AF7BA49FBE09192C87983", diversifier: "1234567890123456",
            cryptogram: "0BAA251EA8989442", update: "00000000", proprietary: "", arpc: "C1C41F3A"),
        Method2(
            cardKey: "80A89B585BBF64C2F12915BF578FABE0", diversifier: "0001000000000000",
            cryptogram: "F149AF6E040F7551", update: "00820000", proprietary: "", arpc: "25CBAC0D"),
    ]

    @Test("method 2 gives the published ARPC", arguments: method2)
    func second(vector: Method2) throws {
        let sessionKey = try SessionKeyDerivation.derive(
            from: key(vector.cardKey), diversifier: octets(vector.diversifier))
        let arpc = try ARPC.method2(
            key: sessionKey, applicationCryptogram: octets(vector.cryptogram),
            cardStatusUpdate: octets(vector.update), proprietaryData: octets(vector.proprietary))
        #expect(arpc == octets(vector.arpc))
    }

    @Test("values of the wrong length are refused")
    func lengths() {
        #expect(throws: CryptogramError.length(of: 0x9F26, actual: 7)) {
            try ARPC.method1(
                key: key(Self.card), applicationCryptogram: octets("00112233445566"), responseCode: octets("3030"))
        }
        #expect(throws: CryptogramError.length(of: 0x8A, actual: 1)) {
            try ARPC.method1(
                key: key(Self.card), applicationCryptogram: octets("0011223344556677"), responseCode: octets("30"))
        }
        #expect(throws: CryptogramError.argumentLength("proprietary authentication data", actual: 9)) {
            try ARPC.method2(
                key: key(Self.card), applicationCryptogram: octets("0011223344556677"),
                cardStatusUpdate: octets("00000000"), proprietaryData: [UInt8](repeating: 0, count: 9))
        }
    }
}
