import BERTLV
import Decoder
import EMV
import Testing

@Suite("Issuer application data as text")
struct IssuerApplicationDataTextTests {
    @Test(
        "names the layout, or says that it is unknown",
        arguments: [
            ("9F1007 06010A03A40000", "Visa format 0"), ("9F1007 06011203000000", "Visa format 1"),
            ("9F1020 1F430100200000000000000000000000 00000000000000000000000000000000", "Visa format 4"),
            ("9F1012 0110A0400324C000000000000000000000FF", "M/Chip"),
            ("9F1020 0FA506A231C0020000000000000000000F110600000000000000000000000000", "Common Core Definitions"),
            ("9F1010 10018281003100401800000000000000", "unknown format"),
        ])
    func layout(_ input: String, _ name: String) {
        #expect(decode(input).objects.first?.text == name)
        #expect(decode(input).problems.isEmpty)
    }

    @Test("lets the application decide between layouts of one shape")
    func application() {
        #expect(
            find(0x9F10, in: decode("4F06A00000002501 9F100706010103A40000").objects)?.text == "American Express")
    }

    @Test("tells what the Visa card found", arguments: ["06010A03A4B800"])
    func visa(_ value: String) {
        #expect(
            decode("9F1007" + value).objects.first?.details == [
                "derivation key index 01", "cryptogram version 10", "CVR 03A4B800",
                "second GENERATE AC: not requested", "first GENERATE AC: ARQC",
                "b1.04 offline PIN verification performed", "b2.80 last online transaction not completed",
                "b2.20 velocity checking limit exceeded", "b2.10 new card",
                "b2.08 issuer authentication failed on last online transaction",
            ])
    }

    @Test("tells what the M/Chip card found")
    func mChip() {
        #expect(
            decode("9F10120110A00009248400000000000000000029FF").objects.first?.details == [
                "derivation key index 01", "cryptogram version 16: M/Chip session key", "CVR A00009248400",
                "second GENERATE AC: not requested", "first GENERATE AC: ARQC",
                "b4.20 offline PIN verification not performed", "b4.04 international transaction",
                "b5.80 lower consecutive offline limit exceeded", "b5.04 issuer authentication failed",
                "issuer script commands: 0", "PIN tries left: 9",
            ])
    }

    @Test("takes CCD's upper amount limit from bit 10 of byte 3")
    func commonCore() {
        let details = decode(
            "9F1020 0FA506A23110020000000000000000000F110600000000000000000000000000"
        ).objects.first?.details
        #expect(details?.contains("b3.10 upper cumulative offline amount limit exceeded") == true)
        #expect(details?.contains("b3.20 lower cumulative offline amount limit exceeded") == false)
    }
}
