import BERTLV
import EMV
import JSONText
import Payments
import Testing
import Transport

@testable import Ledger
@testable import Readers
@testable import readerctl

/// The JSON of each command as text: the order of its keys is part of the contract.
@Suite struct DocumentTests {
    @Test("probe")
    func probe() {
        let usb = ReaderReport(
            reader: FoundReader(
                id: "ccid:C0001", family: .ccid, model: "Gemalto PC Twin Reader", vendorId: 0x08E6, productId: 0x0037,
                serial: "C0001", link: .usb, port: "usb:1-1.2", node: "/dev/bus/usb/001/002"),
            state: .busy, card: .unknown, firmware: "1.00", capabilities: ["contact", "t=1"], heldBy: "pcscd",
            problems: [])
        let bare = ReaderReport(
            reader: FoundReader(id: "simulated:ccid", family: .ccid, model: "Simulated", link: .simulated),
            state: .ready, card: .present, firmware: nil, capabilities: [], heldBy: nil, problems: [])
        let expected =
            #"{"readers":[{"id":"ccid:C0001","driver":"ccid","model":"Gemalto PC Twin Reader","vendorId":"08e6","#
            + #""productId":"0037","serial":"C0001","transport":"usb","port":"usb:1-1.2","#
            + #""node":"/dev/bus/usb/001/002","state":"busy","card":"unknown","firmware":"1.00","#
            + #""capabilities":["contact","t=1"],"heldBy":"pcscd","problems":[]},"#
            + #"{"id":"simulated:ccid","driver":"ccid","model":"Simulated","vendorId":null,"productId":null,"#
            + #""serial":null,"transport":"simulated","port":null,"node":null,"state":"ready","card":"present","#
            + #""firmware":null,"capabilities":[],"heldBy":null,"problems":[]}]}"#
        #expect(ProbeJSON.document([usb, bare]).compactText == expected)
        #expect(ProbeJSON.document([]).compactText == #"{"readers":[]}"#)
    }

    private static let roster = ReaderRoster(
        revision: 3,
        entries: [
            entry("a", .ready), entry("b", .discovering), entry("c", .busy(.operation("waiting for a card"))),
            entry("d", .reconnecting(since: MonotonicInstant(nanoseconds: 1), .unplugged)),
            entry("e", .gone(.lost(during: "waiting for a card"))),
            entry("f", .fault(ReaderProblem(.silent, message: "It is silent.", fix: "Check it."))),
        ])

    private static func entry(_ id: String, _ state: ReaderState) -> ReaderRoster.Entry {
        let reader = FoundReader(id: id, family: .ccid, model: "Mock \(id)", link: .simulated)
        let report = ReaderReport(
            reader: reader, state: .ready, card: .absent, firmware: nil, capabilities: [], heldBy: nil, problems: [])
        return ReaderRoster.Entry(reader: reader, state: state, report: state == .ready ? report : nil)
    }

    @Test("probe --watch, with readers that have left")
    func watch() {
        let expected =
            #"{"readers":[{"id":"a","driver":"ccid","model":"Mock a","vendorId":null,"productId":null,"serial":null,"#
            + #""transport":"simulated","port":null,"node":null,"state":"ready","card":"absent","firmware":null,"#
            + #""capabilities":[],"heldBy":null,"problems":[]}],"states":["#
            + #"{"id":"a","state":"ready","reason":null,"message":null,"fix":null},"#
            + #"{"id":"b","state":"discovering","reason":null,"message":null,"fix":null},"#
            + #"{"id":"c","state":"busy","reason":"inUse","#
            + #""message":"This program is using the reader: waiting for a card.","fix":null},"#
            + #"{"id":"d","state":"reconnecting","reason":"unplugged","message":"The reader was unplugged.","#
            + #""fix":"Check the cable and the power; plug the reader in again."},"#
            + #"{"id":"e","state":"gone","reason":"lost","message":"The connection to the reader was lost while "#
            + #"waiting for a card, and it has not come back.","#
            + #""fix":"Check the cable and the power; plug the reader in again."},"#
            + #"{"id":"f","state":"fault","reason":"silent","message":"It is silent.","fix":"Check it."}]}"#
        #expect(ProbeJSON.document(Self.roster).compactText == expected)
        #expect(ProbeJSON.document(ReaderRoster(revision: 0, entries: [])).compactText == #"{"readers":[]}"#)
    }

    @Test("probe --watch, for people")
    func watchText() {
        let expected = """
            Mock a: ready, card absent
              id            a
              driver        ccid

            Mock b: discovering
              id            b

            Mock c: busy
              id            c
              reason:  This program is using the reader: waiting for a card.

            Mock d: reconnecting
              id            d
              reason:  The reader was unplugged.
              fix:     Check the cable and the power; plug the reader in again.

            Mock e: gone
              id            e
              reason:  The connection to the reader was lost while waiting for a card, and it has not come back.
              fix:     Check the cable and the power; plug the reader in again.

            Mock f: fault
              id            f
              reason:  It is silent.
              fix:     Check it.

            """
        #expect(ProbeText.document(Self.roster) == expected)
    }

    @Test("probe: of a reader at a serial line, that line comes last")
    func probeLine() throws {
        let line = SerialLineFacts(
            chip: "FTDI FT232R", kernelDriver: "ftdi_sio", tty: "/dev/ttyUSB0", usbNode: "/dev/bus/usb/001/004",
            baud: .b9600, access: "root:dialout, mode 660")
        func report(_ line: SerialLineFacts) -> ReaderReport {
            ReaderReport(
                reader: FoundReader(id: "tty:1", family: .qpos, model: "Reader", link: .tty, line: line), state: .ready,
                card: .unknown, firmware: nil, capabilities: [], heldBy: nil, problems: [])
        }
        #expect(
            ProbeJSON.document([report(line)]).compactText.hasSuffix(
                #""problems":[],"line":{"chip":"FTDI FT232R","kernelDriver":"ftdi_sio","tty":"/dev/ttyUSB0","#
                    + #""usb":"/dev/bus/usb/001/004","baud":9600,"access":"root:dialout, mode 660"}}]}"#))
        let bare = SerialLineFacts(baud: .b115200)
        #expect(
            ProbeJSON.document([report(bare)]).compactText.hasSuffix(
                #""line":{"chip":null,"kernelDriver":null,"tty":null,"usb":null,"baud":115200,"access":null}}]}"#))
        #expect(
            ProbeText.document([report(line)]).contains(
                "  line          FTDI FT232R at 9600 baud, /dev/ttyUSB0 of ftdi_sio, over USB at /dev/bus/usb/001/004\n"
                    + "  access        root:dialout, mode 660\n"))
        #expect(ProbeText.document([report(bare)]).contains("  line          serial port at 115200 baud\n"))
    }

    private static let state = PaymentState.approved.name

    private static var record: TransactionRecord {
        TransactionRecord(
            id: "ID1", kind: .sale, state: state, createdAt: 1, updatedAt: 2, amount: 10_000, tip: 1_500, currency: 484,
            msi: 3)
    }

    private static let bare =
        #""transactionid":"ID1","kind":"sale","state":"approved","outcome":null,"amount":"100.00","tip":"15.00","#
        + #""currency":"MXN","createdAt":1,"updatedAt":2,"approvedAt":null,"identifier":null,"reference":null,"#
        + #""original":null,"msi":3,"authorization":null,"creditcard":null,"cardtype":null,"arqc":null,"aid":null,"#
        + #""applabel":null,"bank":null,"accountType":null,"responsecode":null,"status":null,"statusinfo":null,"#
        + #""reader":null,"batch":null,"offline":null,"returnedas":null"#

    @Test("transactions")
    func transactions() {
        #expect(TransactionJSON.document(Self.record).compactText == #"{\#(Self.bare)}"#)
    }

    @Test("transaction, with everything that it can have")
    func transaction() {
        var record = Self.record
        record.outcome = "approved"
        record.approvedAt = 3
        record.identifier = "a"
        record.reference = "b"
        record.originalID = "c"
        record.authorisation = "123456"
        record.lastFour = "0119"
        record.cardBrand = "VISA"
        record.arqc = "d"
        record.aid = "e"
        record.appLabel = "f"
        record.bank = "g"
        record.accountType = "credit"
        record.responseCode = "00"
        record.statusCode = "h"
        record.statusInfo = "i"
        record.reader = "j"
        record.offline = .forwarded
        record.returnedAs = .void
        let journal = [
            JournalEntry(
                sequence: 1, transactionID: "ID1", at: 1, from: nil, to: PaymentState.created.name, detail: nil),
            JournalEntry(
                sequence: 2, transactionID: "ID1", at: 2, from: PaymentState.created.name, to: Self.state, detail: "k"),
        ]
        let expected =
            #"{"transactionid":"ID1","kind":"sale","state":"approved","outcome":"approved","amount":"100.00","#
            + #""tip":"15.00","currency":"MXN","createdAt":1,"updatedAt":2,"approvedAt":3,"identifier":"a","#
            + #""reference":"b","original":"c","msi":3,"authorization":"123456","creditcard":"0119","cardtype":"VISA","#
            + #""arqc":"d","aid":"e","applabel":"f","bank":"g","accountType":"credit","responsecode":"00","#
            + #""status":"h","statusinfo":"i","reader":"j","batch":null,"offline":"forwarded","returnedas":"void","#
            + #""journal":[{"at":1,"from":null,"to":"created","#
            + #""detail":null},{"at":2,"from":"created","to":"approved","detail":"k"}]}"#
        #expect(TransactionJSON.document(record, journal).compactText == expected)
    }
}
