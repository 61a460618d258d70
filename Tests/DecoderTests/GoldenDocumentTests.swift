import Decoder
import Testing

@Suite("Documents of the decoder")
struct GoldenDocumentTests {
    @Test("text for people: tree, facts, problems")
    func text() {
        let document = textDocument(
            "7019 5A084761739001010119 9F260828C1B1AE0414D78B 9F2701 80 9F02060000000100005F2A020484 95020000")
        #expect(
            document.text == """
                70 READ RECORD Response Message Template (25 bytes)
                  5A Application Primary Account Number (PAN): ************0119
                  9F26 Application Cryptogram (AC): 28C1B1AE0414D78B
                  9F27 Cryptogram Information Data (CID): 80 = ARQC (go online)
                9F02 Amount, Authorised (Numeric): 000000010000 = 100.00 MXN
                5F2A Transaction Currency Code: 0484 = MXN (484)
                95 Terminal Verification Results (TVR): 0000
                    wrong length 2, needs 5

                Summary
                  arqc: 28C1B1AE0414D78B
                  creditcard: 0119

                Problems
                  at 41 in 95: Terminal Verification Results (TVR): wrong length 2, needs 5 [wrongLength]

                """)
        #expect(document.codes == ["wrongLength"])
    }

    @Test("JSON with the keys of the contract in their order")
    func json() {
        #expect(
            jsonDocument("70055F34010187").text
                == #"{"objects":[{"tag":"70","name":"READ RECORD Response Message Template","length":5,"offset":0,"#
                + #""value":"5F34010187","text":null,"details":["1 byte is not TLV: 87"],"children":["#
                + #"{"tag":"5F34","name":"Application PAN Sequence Number","length":1,"offset":2,"value":"01","#
                + #""text":null,"details":[]}]}],"problems":[{"offset":7,"path":"70/87","code":"lengthMissing","#
                + #""message":"the data ends after tag 87, before its length"}],"summary":{}}"# + "\n")
        #expect(
            jsonDocument("50025C22").text
                == #"{"objects":[{"tag":"50","name":"Application Label","length":2,"offset":0,"value":"5C22","#
                + #""text":"\\\"","details":[]}],"problems":[],"summary":{"applabel":"\\\""}}"# + "\n")
        #expect(jsonDocument("").text == #"{"objects":[],"problems":[],"summary":{}}"# + "\n")
    }

    @Test("JSON ends with the problems and the summary, in the order of the contract")
    func jsonEnd() {
        #expect(
            jsonDocument(
                "8407A0000000031010 500B56495341204352454449 54 5A084761739001010119 9F270180 9F2608"
                    + "0102030405060708 9F3602"
            ).text.hasSuffix(
                #"],"problems":[{"offset":50,"path":"9F36","code":"valueTruncated","#
                    + #""message":"9F36 claims 2 bytes, 0 are there"}],"summary":{"arqc":"0102030405060708","#
                    + #""aid":"A0000000031010","applabel":"VISA CREDIT","creditcard":"0119","cardtype":"VISA"}}"#
                    + "\n"))
    }

    @Test("is the same however the input comes in pieces", arguments: [1, 7, 100, 65_536])
    func pieces(_ size: Int) {
        let record = bytes(DecodedTranscriptTests.purchase)
        let input = Array(repeatElement(record, count: 40).joined())
        let whole = document(input)
        #expect(document(input, pieceSize: size).text == whole.text)
        #expect(whole.codes.isEmpty)
    }

    @Test("takes a record's currency from the record itself in a long stream")
    func longStream() {
        let records = (0..<30_000).map { number in
            bytes("9F0206000000010000 5F2A02" + (number % 2 == 0 ? "0484" : "0392"))
        }
        let text = document(Array(records.joined())).text
        #expect(text.components(of: "= 100.00 MXN") == 15_000)
        #expect(text.components(of: "= 10000 JPY") == 15_000)
    }

    @Test("shows words behind codes")
    func words() {
        #expect(textDocument("9F15025999").text.contains("= Miscellaneous and speciality retail outlets"))
        #expect(textDocument("5F2D046573656E").text.contains("= es Spanish, en English"))
        #expect(textDocument("9F6604B6204000").text.contains("b1.80 Mag-stripe mode supported"))
        #expect(textDocument("9F6C023880").text.contains("b2.80 Consumer device CVM performed"))
        #expect(textDocument("9108AABBCCDD01820000").text.contains("b2.80 Issuer approves online transaction"))
        #expect(textDocument("9F5B05210A0B0C0D").text.contains("script processing successful, at command 1"))
        #expect(textDocument("DFEE30010C").text.contains("Card Interface (NEO2): 0C = swipe"))
        #expect(textDocument("E403C401 41").text.contains("E4 Online Authorisation Request (MPI)"))
    }
}

extension String {
    /// How often a text occurs.
    fileprivate func components(of part: String) -> Int {
        var count = 0
        let (bytes, wanted) = (Array(utf8), Array(part.utf8))
        var position = 0
        while position + wanted.count <= bytes.count {
            if bytes[position] == wanted[0], bytes[position..<position + wanted.count].elementsEqual(wanted) {
                count += 1
                position += wanted.count
            } else {
                position += 1
            }
        }
        return count
    }
}
