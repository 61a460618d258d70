import BERTLV
import Money

/// Floor limit, random selection, velocity (Book 3, 10.6). Findings go into the TVR.
struct TerminalRiskManagement: Sendable {
    enum Step: Sendable {
        case transmit(CommandAPDU)
        case done
    }

    private enum State: Sendable {
        case idle
        case readingCounter
        case readingLastOnlineCounter(counter: Int?)
    }

    private var state = State.idle

    /// What needs no command, then GET DATA for the velocity check where the card has limits for it (10.6.3).
    mutating func start(_ context: inout TransactionContext) -> Step {
        let pan = context.card[.primaryAccountNumber].flatMap(PAN.init(compressedNumeric:))
        checkExceptions(pan, &context)
        checkFloorLimit(pan, &context)
        guard context.terminal.checksVelocity, context.card[.lowerConsecutiveOfflineLimit]?.count == 1,
            context.card[.upperConsecutiveOfflineLimit]?.count == 1
        else { return finish(&context) }
        state = .readingCounter
        return .transmit(GetData.command(.applicationTransactionCounter))
    }

    mutating func receive(_ response: ResponseAPDU, _ context: inout TransactionContext) -> Step {
        switch state {
        case .readingCounter:
            let counter = Self.number(response, .applicationTransactionCounter)
            state = .readingLastOnlineCounter(counter: counter)
            return .transmit(GetData.command(.lastOnlineCounter))
        case .readingLastOnlineCounter(let counter):
            checkVelocity(counter, Self.number(response, .lastOnlineCounter), &context)
            return finish(&context)
        case .idle:
            return .done
        }
    }

    private mutating func finish(_ context: inout TransactionContext) -> Step {
        state = .idle
        context.tsi.performed(.terminalRiskManagement)
        return .done
    }

    private func checkExceptions(_ pan: PAN?, _ context: inout TransactionContext) {
        if context.transaction.isForcedOnline { context.tvr.set(.merchantForcedOnline) }
        guard let pan else { return }
        let sequence = context.card[.panSequenceNumber]?.first
        if context.terminal.history.isOnExceptionFile(pan, sequenceNumber: sequence) {
            context.tvr.set(.onExceptionFile)
        }
    }

    /// 10.6.1 and 10.6.2, in whole minor units.
    private func checkFloorLimit(_ pan: PAN?, _ context: inout TransactionContext) {
        guard let entry = context.application?.terminalEntry else { return }
        let amount = context.transaction.amount.minorUnits
        var stored: Int64 = 0
        if let pan {
            stored = context.terminal.history.storedOfflineAmount(
                pan, sequenceNumber: context.card[.panSequenceNumber]?.first)
        }
        let (sum, overflow) = amount.addingReportingOverflow(max(0, stored))
        if overflow || sum >= entry.floorLimit {
            context.tvr.set(.floorLimitExceeded)
            return
        }
        guard context.terminal.terminalType.connection == .offlineWithOnline else { return }
        if entry.isSelected(amount: amount, number: context.transaction.randomSelectionNumber) {
            context.tvr.set(.selectedRandomly)
        }
    }

    private func checkVelocity(_ counter: Int?, _ lastOnline: Int?, _ context: inout TransactionContext) {
        guard let counter, let lastOnline, counter > lastOnline else {
            context.tvr.set(.lowerOfflineLimitExceeded)
            context.tvr.set(.upperOfflineLimitExceeded)
            if lastOnline == 0 { context.tvr.set(.newCard) }
            return
        }
        let distance = counter - lastOnline
        if distance > Int(context.card[.lowerConsecutiveOfflineLimit]?.first ?? 0) {
            context.tvr.set(.lowerOfflineLimitExceeded)
        }
        if distance > Int(context.card[.upperConsecutiveOfflineLimit]?.first ?? 0) {
            context.tvr.set(.upperOfflineLimitExceeded)
        }
        if lastOnline == 0 { context.tvr.set(.newCard) }
    }

    private static func number(_ response: ResponseAPDU, _ tag: Tag) -> Int? {
        GetData.value(response, tag).flatMap { $0.count == 2 ? Int($0[0]) << 8 | Int($0[1]) : nil }
    }
}

extension TerminalApplication {
    /// Biased random selection (Book 3, 10.6.2): below the threshold with the target percentage, above it with one that
    /// grows to the maximum at the floor limit. Integer arithmetic; `number` is 1 ... 99.
    func isSelected(amount: Int64, number: Int) -> Bool {
        guard amount >= threshold else { return number <= targetPercentage }
        let span = floorLimit - threshold
        guard span > 0 else { return number <= maximumTargetPercentage }
        let more = Int64(maximumTargetPercentage - targetPercentage) * (amount - threshold) / span
        return Int64(number) <= more + Int64(targetPercentage)
    }
}
