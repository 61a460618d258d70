import EMV
import Gateways
import Glibc
import JSONText
import Ledger
import Money
import Payments
import Readers
import Transport

/// A kiosk that is ended by SIGKILL at a named place: `crashbed sale|refund|void|settle|recover|points --data DIR …`. The
/// ledger and the book of the simulated host are on disk and survive it; the clock for waits is virtual, and the date
/// stands still.
///
///     --at POINT          where to end (see `crashbed points`); without it the run goes to its end
///     --time MS           the date, in milliseconds since 1970
///     --card CARD         for a sale; without it there is no reader
///     --amount AMOUNT     --identifier TEXT     --transaction-id ID (for a refund or void)
///     --partial reverse|accept   what becomes of a part that is approved
///     --offline yes       sales may be approved without the host; the terminal is of type 25
///     --line down         the host cannot be reached
///     --voids carriedOut|refused|nothingFound   what the host does with a void
///     --force yes         for a settlement
///
/// The result is the response model as JSON, or for `recover` the number of resolutions.
@main
enum CrashBed {
    static func main() async {
        do {
            try await run(try Options(CommandLine.arguments.dropFirst()))
        } catch {
            print("crashbed: \(error)")
            exit(2)
        }
    }

    private static func run(_ options: Options) async throws {
        if options.action == "points" {
            for point in CrashPoint.allCases { print(point.rawValue) }
            return
        }
        let clock = VirtualClock()
        let record = AnswerRecord()
        let ledger = try await Ledger.open(directory: options.data)
        var host = IssuerSimulator.Options()
        host.bookPath = options.data + "/simulated-host"
        var pipeline = PaymentPipeline(
            ledger: ledger, owner: try RunningOwner.begin(in: options.data),
            gateway: Line(
                host: try IssuerSimulator(clock: clock, options: host), isDown: options.line == .down,
                voids: options.voids, record: record),
            terminal: try options.approvesOffline ? .offlineKiosk() : .mexicanKiosk,
            merchantName: "Crash Bed", clock: clock, wallClock: StandingClock(time: options.time),
            random: SystemRandomSource(), zone: .mexicoCity(), rules: options.rules)
        if options.approvesOffline { pipeline.offline = try .crashBed() }
        let point = options.point
        pipeline.crashPoints = {
            if $0 == point { kill(getpid(), SIGKILL) }
            if $0 == .answerRecorded { record.wasWritten() }
        }
        switch options.action {
        case "sale": try await sale(options, pipeline, clock, record)
        case "refund": try await refund(options, pipeline)
        case "void": print(await pipeline.void(options.transactionID))
        case "settle":
            for outcome in await pipeline.settle(force: options.isForced) { print(outcome) }
        default:
            let resolutions = try await Recovery(pipeline).run(.all, until: .after(.seconds(3600), on: clock))
            print(resolutions.count)
        }
        pipeline.owner.end()
        await ledger.close()
    }

    private static func sale(
        _ options: Options, _ pipeline: PaymentPipeline, _ clock: VirtualClock, _ record: AnswerRecord
    ) async throws {
        let request = try SaleRequest(
            amount: Amount(parsing: options.amount, currency: .mxn),
            details: RequestDetails(identifier: options.identifier))
        let reader = try options.card.map { try SimulatedReader(card: $0, clock: clock, record) }
        let result = await pipeline.sale(
            request,
            openReader: { () async throws(ReaderError) in
                guard let reader else { throw ReaderError(.notFound, during: "opening the reader") }
                return try await reader.open()
            })
        print(result.response.jsonValue.compactText)
    }

    private static func refund(_ options: Options, _ pipeline: PaymentPipeline) async throws {
        let request = try RefundRequest(
            transactionID: options.transactionID, amount: Amount(parsing: options.amount, currency: .mxn),
            details: RequestDetails(identifier: options.identifier))
        print(await pipeline.refund(request).response.jsonValue.compactText)
    }
}

struct StandingClock: WallClock {
    let time: Int64

    func nowMilliseconds() -> Int64 { time }
}
