import Decoder
import Gateways
import HTTPClient
import Ledger
import NetworkTransport
import Payments
import Readers
import StableCodes
import Transport

/// `docs/errors.md`: every code, made from the types that hold them.
public enum ErrorPage {
    public static let fileName = "errors.md"

    public static var text: String {
        ([introduction] + sections.map(\.text) + [words]).joined(separator: "\n")
    }

    /// Every code of the page, by the title of its section.
    static var sections: [CodeTable] {
        [
            CodeTable(
                "Exit statuses", of: ExitCode.self,
                about: """
                    What `readerctl` ends with; [command-line.md](command-line.md#exit-statuses) says more for each command. \
                    A second Ctrl-C, Ctrl-\\\\, SIGTERM or hang-up within a second ends it with 130, 131, 143 or 129: look at \
                    `readerctl transactions`.
                    """),
            CodeTable(
                "statusinfo", of: StatusInfo.Code.self,
                about: """
                    What a caller reads in `statusinfo`, in Spanish; it is empty when `result` is `aprobada`. \
                    `readerctl transaction ID --json` has the code in `status`. What stands in braces is filled in.
                    """,
                columns: [("`statusinfo`", { $0.template }), ("`result`", { "`\($0.result)`" })]),
            CodeTable(
                "Readers and cards", of: ReaderError.Code.self,
                about: """
                    On standard error as sentence and next step, in journals and problems with the number. The thousands \
                    say where: 1 the caller, 2 the person at the kiosk, 3 the link to the reader, 4 the device, 5 ReaderKit.
                    """),
            CodeTable(
                "Problems that probe names", of: ReaderProblem.Code.self,
                about:
                    "`readers[].problems[].code` of `readerctl probe --json`; `message` and `fix` beside it say more."),
            CodeTable(
                "The line to the acquirer", of: GatewayError.Code.self,
                about: """
                    The number is the code of `Error del procesador`; the name is in journals and in `reason` of \
                    `readerctl settle --json`.
                    """),
            CodeTable(
                "The ledger", of: LedgerError.Code.Kind.self,
                about: "On standard error in sentences; by name in `reason` of `readerctl settle --json`."),
            CodeTable(
                "Voids", of: VoidResult.Code.self, about: "`void` of `readerctl void --json`."),
            CodeTable(
                "Settlements", of: SettlementOutcome.Code.self,
                about: "`settlements[].result` of `readerctl settle --json`."),
            CodeTable(
                "Problems that decode names", of: DecodeReport.Problem.Code.self,
                about: "`problems[].code` of `readerctl decode --json`; `message` and `offset` beside it say more."),
            CodeTable(
                "Links to devices", of: TransportError.Code.self,
                about: "In brackets behind a reader's error, and in what `readerctl bridge` tells."),
            CodeTable(
                "Network connections", of: NetworkError.Code.self,
                about:
                    "Of the host line and of `readerctl bridge --tcp`, in words behind the gateway's or bridge's error."
            ),
            CodeTable(
                "Servers that are told", of: HTTPError.Code.self,
                about: """
                    Of replies and webhooks, told in words in `problem` of `readerctl open --pending` and \
                    `readerctl webhooks`.
                    """),
        ]
    }

    private static let introduction = """
        # Errors

        Every stable code: it keeps its name, its number and its meaning. This page is made from the sources by \
        `make generate`. Symptoms are in [troubleshooting.md](troubleshooting.md).

        Who must act:

        | | |
        |---|---|
        \(WhoActs.allCases.map { "| \($0.rawValue) | \($0.sentence) |" }.joined(separator: "\n"))

        """

    private static let words = """
        ## Told in words only

        * Mistakes in the configuration: each with the path of its field, exit 2; `readerctl config check` lists them. \
        The integrator must act.
        * Mistakes on the command line: a sentence and the usage, exit 2.
        * Why a reply did not reach its app: `problem` of `readerctl open --pending --json`. The integrator must act; the \
        reply is kept.
        * Why a receipt is not shown: exit 8. The operator must act: the ledger's file was changed.

        """
}
