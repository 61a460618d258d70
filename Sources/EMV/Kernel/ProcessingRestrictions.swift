import BERTLV

/// Version, usage and dates (Book 3, 10.4). Findings go into the TVR; nothing here ends the transaction.
enum ProcessingRestrictions {
    static func apply(_ context: inout TransactionContext) {
        checkVersion(&context)
        checkUsage(&context)
        checkDates(&context)
    }

    private static func checkVersion(_ context: inout TransactionContext) {
        guard let version = context.card[.applicationVersionNumberCard] else { return }
        if version != context.application?.terminalEntry.versionNumber { context.tvr.set(.applicationVersionsDiffer) }
    }

    /// Application usage control, tag 9F07 (Annex C2): a kiosk is no ATM and sells goods or services.
    private static func checkUsage(_ context: inout TransactionContext) {
        guard let control = context.card[.applicationUsageControl], let usage = control.first else { return }
        if usage & 0x01 == 0 { context.tvr.set(.serviceNotAllowed) }
        guard let issuerCountry = context.card[.issuerCountryCode] else { return }
        let isDomestic = issuerCountry == context.value(of: .terminalCountryCode)
        let goodsOrServices: UInt8 = isDomestic ? 0x20 | 0x08 : 0x10 | 0x04
        if usage & goodsOrServices == 0 { context.tvr.set(.serviceNotAllowed) }
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
