import BERTLV
import Money

/// Version, usage and dates (Book 3, 10.4). Findings go into the TVR; nothing here ends the transaction.
enum ProcessingRestrictions {
    static func apply(_ context: inout TransactionContext) {
        checkVersion(&context)
        checkUsage(&context)
        checkDates(&context)
    }

    private static func checkVersion(_ context: inout TransactionContext) {
        guard let version = context.card[.applicationVersionNumberCard] else { return }
        let entry = context.application?.terminalEntry
        let isKnown = version == entry?.versionNumber || entry?.otherVersionNumbers.contains(version) == true
        if !isKnown { context.tvr.set(.applicationVersionsDiffer) }
    }

    /// Application usage control, tag 9F07 (Annex C2).
    private static func checkUsage(_ context: inout TransactionContext) {
        guard let control = context.card[.applicationUsageControl], control.count == 2 else { return }
        if control[0] & (context.terminal.isATM ? 0x02 : 0x01) == 0 { context.tvr.set(.serviceNotAllowed) }
        guard let issuerCountry = context.card[.issuerCountryCode] else { return }
        let isDomestic = issuerCountry == context.value(of: .terminalCountryCode)
        let transaction = context.transaction
        let isAllowed =
            transaction.type == .cash
            ? control[0] & (isDomestic ? 0x80 : 0x40) != 0
                // Goods or services: a kiosk sells either.
            : control[0] & (isDomestic ? 0x20 | 0x08 : 0x10 | 0x04) != 0
        let hasCashback = transaction.type == .purchaseWithCashback || !transaction.otherAmount.isZero
        let isCashbackAllowed = control[1] & (isDomestic ? 0x80 : 0x40) != 0
        if !isAllowed || (hasCashback && !isCashbackAllowed) { context.tvr.set(.serviceNotAllowed) }
    }

    private static func checkDates(_ context: inout TransactionContext) {
        let today = context.transaction.time.date
        if let effective = context.card[.applicationEffectiveDate].flatMap(CardDate.init(bcd:)), today < effective {
            context.tvr.set(.notYetEffective)
        }
        if let expiry = context.card[.applicationExpirationDate].flatMap(CardDate.init(bcd:)), expiry < today {
            context.tvr.set(.expired)
        }
    }
}
