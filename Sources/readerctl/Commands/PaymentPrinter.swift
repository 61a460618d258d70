import Glibc
import JSONText
import Money
import Payments
import Readers

/// Shows what a payment came to: the response model as JSON, or a few lines for people; the cause on standard error.
struct PaymentPrinter: Sendable {
    let console: Console
    let json: Bool

    /// The locale that the messages follow (POSIX: LC_ALL, LC_MESSAGES, LANG).
    static var locale: String? {
        for name in ["LC_ALL", "LC_MESSAGES", "LANG"] {
            if let value = getenv(name).map({ String(cString: $0) }), !value.isEmpty { return value }
        }
        return nil
    }

    func show(_ result: PaymentResult) -> ExitStatus {
        let status = showFailure(result)
        print(result.response)
        return status
    }

    /// Only the cause, for somebody who gives the result in another form.
    func showFailure(_ result: PaymentResult) -> ExitStatus {
        if let failure = result.failure { console.error(Self.sentence(failure)) }
        return ExitStatus(result)
    }

    func print(_ response: PaymentResponse) {
        if json { return console.print(response.jsonValue) }
        for (label, value) in lines(response) where !value.isEmpty {
            console.print(label + String(repeating: " ", count: max(1, 15 - label.count)) + value.printable())
        }
    }

    /// For a reader that could not be chosen the detail says more than the code: which ones there are.
    private static func sentence(_ failure: PaymentFailure) -> String {
        if case .reader(let error) = failure, [.notFound, .ambiguous].contains(error.code), let detail = error.detail {
            return detail
        }
        return failure.sentence
    }

    private func lines(_ response: PaymentResponse) -> [(String, String)] {
        [
            ("result", response.outcome.result), ("outcome", response.outcome.rawValue),
            ("statusinfo", response.statusInfo.text), ("amount", response.amount?.description ?? ""),
            ("tip", response.tip?.description ?? ""), ("transactionid", response.transactionID),
            ("authorization", response.authorization), ("creditcard", response.creditCard),
            ("cardtype", response.cardType), ("applabel", response.applicationLabel), ("aid", response.aid),
            ("arqc", response.arqc), ("bank", response.bank), ("accountType", response.accountType),
            ("name", response.name), ("reference", response.reference), ("identifier", response.identifier),
        ]
    }
}
