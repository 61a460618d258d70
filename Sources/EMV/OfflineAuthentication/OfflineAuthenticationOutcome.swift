import BERTLV

/// What came of offline data authentication, and what the kernel has to note about it (Book 3, 10.3).
struct OfflineAuthenticationOutcome: Sendable, Hashable {
    enum Result: Sendable, Hashable {
        /// Card and terminal have no method in common.
        case notPerformed
        case staticDataSucceeded(dataAuthenticationCode: [UInt8])
        /// DDA or CDA.
        case dynamicDataSucceeded(iccDynamicNumber: [UInt8])
        case failed(OfflineAuthenticationFailure)
    }

    /// Nil only when nothing was performed.
    let method: OfflineAuthenticationMethod?
    let result: Result

    static let notPerformed = Self(method: nil, result: .notPerformed)

    /// TVR: byte 1, the bits that are to be set.
    var verificationResults: [TerminalVerificationResults.Bit] {
        guard let method else { return [.offlineDataAuthenticationNotPerformed] }
        var bits: [TerminalVerificationResults.Bit] = []
        if method == .staticData { bits.append(.staticDataAuthenticationSelected) }
        if case .failed(let failure) = result {
            bits.append(method.failureBit)
            if failure.isDataMissing { bits.append(.iccDataMissing) }
        }
        return bits
    }

    /// TSI: "offline data authentication was performed", whatever came of it.
    var isPerformed: Bool { method != nil }

    /// The object that the signature carried, for CDOL1 and the host: 9F45 after SDA, 9F4C after DDA and CDA.
    var recoveredObject: (tag: Tag, value: [UInt8])? {
        switch result {
        case .staticDataSucceeded(let code): (.dataAuthenticationCode, code)
        case .dynamicDataSucceeded(let number): (.iccDynamicNumber, number)
        case .notPerformed, .failed: nil
        }
    }

    /// Notes all of the above.
    func apply(to context: inout TransactionContext) {
        for bit in verificationResults { context.tvr.set(bit) }
        if isPerformed { context.tsi.performed(.offlineDataAuthentication) }
        if let (tag, value) = recoveredObject { context.card.replace(tag, value) }
    }
}
