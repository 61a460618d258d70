import BERTLV

/// What the terminal had found when CDOL1 was filled, and finds differently later.
struct OnlineResults: Sendable {
    /// Tag 95.
    let verificationResults: [UInt8]
    /// Tag 9F34.
    let cvmResults: [UInt8]
}

extension TransactionContext {
    /// What the host must be told (Book 3, 10.8): the terminal's values as they went into CDOL1 together with its others
    /// that hosts ask for, and the card's as they were with its first cryptogram.
    func onlineValue(of tag: Tag) -> [UInt8]? {
        switch tag {
        case .terminalVerificationResults: onlineResults?.verificationResults ?? card[tag]
        case .cvmResults: onlineResults?.cvmResults ?? card[tag]
        case .amountAuthorisedNumeric, .amountOtherNumeric, .terminalCountryCode, .transactionCurrencyCode,
            .transactionDate, .transactionTime, .transactionType, .unpredictableNumber, .terminalCapabilities,
            .terminalType, .applicationIdentifierTerminal, .applicationVersionNumberTerminal,
            .interfaceDeviceSerialNumber, .transactionSequenceCounter, .posEntryMode:
            // These never change.
            onlineResults == nil ? card[tag] : value(of: tag)
        case .dedicatedFileName: onlineResults == nil ? card[tag] : application?.aid ?? card[tag]
        case _ where CryptogramResponse.ownTags.contains(tag): onlineCard?[tag] ?? card[tag]
        default: card[tag]
        }
    }
}
