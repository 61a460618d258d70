import EMV
import FirmwareCores
import Gateways
import Glibc
import Ledger
import Money
import Payments
import Readers
import Transport

/// What a whole sale costs besides its card and its host: request, kernel, ledger with its flushes, receipt and seal, reply.
/// `pipelinebench DIRECTORY COUNT` prints nanoseconds of the median and of the 99th percentile, and what card and host took
/// in the median. `scripts/bench-ledger-sale.sh` runs it.
@main
enum PipelineBench {
    /// Until the ledger's log has its length (50 sales) and is written over: while a file grows, each flush writes its length too.
    private static let warmSales = 100
    /// The simulated host remembers 100,000 attempts.
    private static let mostSales = 50_000

    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard arguments.count == 2, let directory = arguments.first, let count = arguments.last.flatMap({ Int($0) }),
            (1...mostSales).contains(count)
        else {
            print("usage: pipelinebench DIRECTORY COUNT")
            exit(2)
        }
        // As the payments of `readerctl`: on the threads that tasks share, not on the main one.
        try await Task.detached { try await measure(count, in: directory) }.value
    }

    private static func measure(_ count: Int, in directory: String) async throws {
        let stopwatch = Stopwatch()
        guard let profile = CardProfile.named("visa-credit") else { return print("there is no such card") }
        let reader = DirectReader(card: profile, stopwatch)
        let ledger = try await Ledger.open(directory: directory)
        let owner = try RunningOwner.begin(in: directory)
        let wall = SystemWallClock()
        let seal = try ReceiptKeyFile(dataDirectory: directory).open(
            now: wall.nowMilliseconds(), random: SystemRandomSource())
        let clock = SystemMonotonicClock.shared
        let pipeline = PaymentPipeline(
            ledger: ledger, owner: owner,
            gateway: CountedGateway(issuers: try IssuerSimulator(clock: clock), stopwatch: stopwatch),
            terminal: .mexicanKiosk, merchantName: "Bench", clock: clock, wallClock: wall,
            random: SystemRandomSource(), zone: .mexicoCity(), receiptSeal: seal)
        var times: [Int] = []
        var others: [Int] = []
        for number in 0..<count + warmSales {
            let request = try SaleRequest(
                amount: Amount(parsing: "100.00", currency: .mxn), tip: Amount(parsing: "15.00", currency: .mxn),
                details: RequestDetails(identifier: "order \(wall.nowMilliseconds())-\(number)", reference: "table 7"))
            let start = ContinuousClock.now
            let result = await pipeline.sale(request) { () throws(ReaderError) in .channel(reader) }
            let total = nanoseconds(ContinuousClock.now - start)
            let spent = stopwatch.take()
            guard result.response.outcome == .approved else {
                print("a sale was not approved: \(result.response.statusInfo)")
                exit(1)
            }
            guard number >= warmSales else { continue }
            times.append(total - spent)
            others.append(spent)
        }
        let activity = await ledger.activity
        owner.end()
        await ledger.close()
        times.sort()
        others.sort()
        print(times[times.count / 2], times[times.count * 99 / 100], others[others.count / 2])
        let sales = Double(count + warmSales)
        print(Double(activity.commits) / sales, "commits a sale,", Double(activity.flushes) / sales, "of them flushed")
    }
}
