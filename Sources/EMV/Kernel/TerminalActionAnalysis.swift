import BERTLV

/// Which cryptogram to ask for (Book 3, 10.7). An action code matches when one of its bits is set in the TVR, too.
enum TerminalActionAnalysis {
    /// Missing IACs: Denial all zeros, Online and Default all ones.
    private static let nothing: [UInt8] = [0, 0, 0, 0, 0]
    private static let everything: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF, 0xFF]

    /// The first GENERATE AC.
    static func decide(_ context: TransactionContext) -> CryptogramType {
        let entry = context.application?.terminalEntry
        if matches(context, .issuerActionCodeDenial, missing: nothing, entry?.actionCodeDenial) {
            return .applicationAuthenticationCryptogram
        }
        switch context.terminal.terminalType.connection {
        case .onlineOnly:
            return .authorisationRequestCryptogram
        case .offlineWithOnline:
            let goesOnline = matches(context, .issuerActionCodeOnline, missing: everything, entry?.actionCodeOnline)
            return goesOnline ? .authorisationRequestCryptogram : .transactionCertificate
        case .offlineOnly:
            return decideWithoutHost(context)
        }
    }

    /// After a failed attempt to go online. A terminal that always goes online declines.
    static func decideUnableToGoOnline(_ context: TransactionContext) -> CryptogramType {
        guard context.terminal.terminalType.connection != .onlineOnly else {
            return .applicationAuthenticationCryptogram
        }
        return decideWithoutHost(context)
    }

    private static func decideWithoutHost(_ context: TransactionContext) -> CryptogramType {
        let isDeclined = matches(
            context, .issuerActionCodeDefault, missing: everything,
            context.application?.terminalEntry.actionCodeDefault)
        return isDeclined ? .applicationAuthenticationCryptogram : .transactionCertificate
    }

    private static func matches(
        _ context: TransactionContext, _ issuer: Tag, missing: [UInt8], _ terminal: [UInt8]?
    ) -> Bool {
        let issuerCode = context.card[issuer].flatMap { $0.count == 5 ? $0 : nil } ?? missing
        return context.tvr.matches(issuerCode) || context.tvr.matches(terminal ?? nothing)
    }
}
