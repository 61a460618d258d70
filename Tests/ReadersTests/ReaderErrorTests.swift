import Readers
import Testing
import Transport

struct ReaderErrorTests {
    @Test func `every code has a number, a sentence and a next step of its own`() {
        let codes = ReaderError.Code.allCases
        #expect(Set(codes.map(\.number)).count == codes.count)
        #expect(Set(codes.map(\.sentence)).count == codes.count)
        #expect(Set(codes.map(\.nextStep)).count == codes.count)
        for code in codes {
            #expect((1000..<6000).contains(code.number))
            #expect(code.sentence.hasSuffix(".") && code.nextStep.hasSuffix("."))
        }
    }

    @Test(arguments: [
        (TransportError.Code.gone, ReaderError.Code.gone), (.timedOut, .silent), (.cancelled, .cancelled),
        (.closed, .closed), (.busy, .busy), (.denied, .accessDenied), (.unsupported, .unsupported),
        (.stalled, .protocolViolation), (.overflow, .protocolViolation), (.failed, .linkFailed),
    ])
    func `a link error keeps its meaning`(link: TransportError.Code, reader: ReaderError.Code) {
        #expect(ReaderError(TransportError(link, during: "send"), during: "x").code == reader)
    }

    @Test func `what had arrived is not printed`() {
        let cause = TransportError(.timedOut, during: "receive", partial: [0x47, 0x61, 0x73, 0x90])
        let error = ReaderError(cause, during: "sending a command to the card")
        #expect(
            "\(error)" == "The card reader does not answer. (3005, sending a command to the card) [receive: timedOut]")
    }
}
