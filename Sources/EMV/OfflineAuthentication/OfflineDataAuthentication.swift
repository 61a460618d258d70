/// Offline data authentication as a stage of the kernel (Book 3, 10.3): between the records and the processing
/// restrictions. What it finds goes into the TVR through `OfflineAuthenticationOutcome.apply`; nothing here ends a
/// transaction.
struct OfflineDataAuthentication: Sendable {
    enum Step: Sendable {
        /// INTERNAL AUTHENTICATE; the answer goes to `receive`.
        case transmit(CommandAPDU)
        case done(OfflineAuthenticationOutcome)
        /// GENERATE AC asks for a signature, which is checked then. Nothing is noted in TVR or TSI before.
        case combined(CombinedDataAuthentication)
    }

    private var dynamic: DynamicDataAuthentication?

    mutating func start(_ context: TransactionContext) -> Step {
        let method = OfflineAuthenticationMethod.choose(
            interchangeProfile: context.card[.applicationInterchangeProfile] ?? [],
            capabilities: context.terminal.capabilities.bytes)
        let recovery = CardKeyRecovery(
            context, staticData: context.staticData, keys: context.terminal.certificationAuthorityKeys)
        do throws(OfflineAuthenticationFailure) {
            switch method {
            case nil: return .done(.notPerformed)
            case .staticData: return .done(StaticDataAuthentication.perform(recovery))
            case .dynamicData:
                let dynamic = try DynamicDataAuthentication(recovery, context)
                self.dynamic = dynamic
                return .transmit(dynamic.command)
            case .combinedData:
                return .combined(
                    try CombinedDataAuthentication(
                        recovery, processingOptionsData: context.processingOptionsData,
                        unpredictableNumber: context.transaction.unpredictableNumber))
            }
        } catch {
            return .done(OfflineAuthenticationOutcome(method: method, result: .failed(error)))
        }
    }

    /// The card's answer to INTERNAL AUTHENTICATE.
    func receive(_ response: ResponseAPDU) -> OfflineAuthenticationOutcome {
        dynamic?.evaluate(response)
            ?? OfflineAuthenticationOutcome(method: .dynamicData, result: .failed(.responseFormat))
    }
}
