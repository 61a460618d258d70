import EMV
import Glibc
import Money
import Readers
import Transport

/// Takes one payment of 123.45 MXN with the one USB reader that runs EMV itself, through the driver alone, with an issuer
/// that approves: `paycheck SECONDS [contact|contactless|magneticStripe]...`. Prints a line for each prompt and each step.
/// For tests.
@main
enum PayCheck {
    static func main() async {
        let arguments = CommandLine.arguments.dropFirst()
        guard let seconds = arguments.first.flatMap({ Int($0) }), (1...300).contains(seconds) else { exit(64) }
        let interfaces = Set(arguments.dropFirst().compactMap(CardInterface.init(rawValue:)))
        let clock = SystemMonotonicClock.shared
        let source = USBReaderSource(clock: clock)
        do throws(ReaderError) {
            let reader = try await open(source, until: .after(.seconds(10), on: clock))
            do throws(ReaderError) {
                try await pay(with: reader, interfaces, until: .after(.seconds(seconds), on: clock))
            } catch {
                print("error \(error.code.rawValue)")
            }
            await reader.close()
        } catch {
            print("error \(error.code.rawValue)")
        }
        await source.close()
    }

    private static func open(
        _ source: USBReaderSource, until deadline: Deadline
    ) async throws(ReaderError) -> any KernelReader {
        guard let found = try await source.scan().first else { throw ReaderError(.notFound, during: "checking") }
        switch try await source.open(found, until: deadline) {
        case .kernel(let reader): return reader
        case .channel(let reader):
            await reader.close()
            throw ReaderError(.unsupported, during: "checking")
        }
    }

    private static func pay(
        with reader: any KernelReader, _ interfaces: Set<CardInterface>, until deadline: Deadline
    ) async throws(ReaderError) {
        guard let amount = Amount(minorUnits: 12_345, currency: .mxn) else { return }
        let payment = ReaderPayment(
            amount: amount,
            time: TransactionTime(year: 2026, month: 11, day: 30, hour: 12, minute: 0, second: 0),
            interfaces: interfaces)
        let patience = CardPatience(cardWait: deadline, dialogue: .seconds(30))
        let first = try await reader.start(payment, prompt: { print("prompt \($0.rawValue)") }, patience: patience)
        print(words(first))
        guard case .online = first else { return }
        let approval = HostAnswer.answered(responseCode: Array("00".utf8), isApproved: true, issuerData: [])
        print(words(try await reader.complete(approval, until: deadline)))
    }

    private static func words(_ stop: ReaderStop) -> String {
        switch stop {
        case .applicationChoice(let labels): "choice of \(labels.count)"
        case .online(let reading): "online \(reading.entry.rawValue) \(reading.account.lastFour ?? "-")"
        case .approved(let reading): "approved \(reading.entry.rawValue)"
        case .declined(let reading): "declined \(reading.entry.rawValue)"
        case .ended(let reason): "ended \(reason.rawValue)"
        }
    }
}
