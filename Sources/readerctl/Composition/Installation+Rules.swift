import Configuration
import Payments

/// What the configuration and the data directory say about sales and receipts.
extension Installation {
    var saleRules: SaleRules {
        var rules = SaleRules()
        rules.partialApproval = configuration.payments.acceptsPartialApproval ? .accept : .reverse
        rules.magneticStripe = configuration.payments.acceptsMagneticStripe ? .fallback : .never
        for plan in Instalments.allCases where plan != .single {
            rules.instalmentMinimums[plan] = configuration.instalments.minimum(months: plan.rawValue)
        }
        return rules
    }

    /// For payments: the key is made when there is none.
    func makeReceiptSeal() throws(CommandFailure) -> ReceiptSeal {
        do throws(ReceiptKeyError) {
            return try receiptKeyFile.open(now: SystemWallClock().nowMilliseconds(), random: SystemRandomSource())
        } catch {
            throw CommandFailure(.internalError, error.sentence)
        }
    }

    /// For showing: nil when there is no key.
    func existingReceiptSeal() throws(CommandFailure) -> ReceiptSeal? {
        do throws(ReceiptKeyError) {
            return try receiptKeyFile.openExisting()
        } catch {
            throw CommandFailure(.internalError, error.sentence)
        }
    }

    private var receiptKeyFile: ReceiptKeyFile { ReceiptKeyFile(dataDirectory: dataDirectory) }
}
