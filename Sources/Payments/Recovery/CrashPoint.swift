/// Every place between two effects (a write to the ledger, a message to the host, a command to the card) where a program
/// may be ended. Tests end it at each of them; nothing in a shipped program listens.
package enum CrashPoint: String, Sendable, Hashable, CaseIterable {
    // A sale.
    case saleBegun, cardPresented, cryptogramMade, intentionRecorded, answerReceived, answerRecorded
    case cardCompleted, noAnswerReceived, outcomeRecorded
    // The reversal of a sale that did not come about.
    case reversalOwed, reversalAnswered, reversalRecorded
    // An approval without the host, and telling it of one.
    case offlineRoomReserved, offlineCardApproved, forwardBegun, forwardAnswered, forwardRecorded
    // A refund.
    case refundBegun, refundIntentionRecorded, refundAnswerReceived, refundOutcomeRecorded
    // A refund whose void the host has refused.
    case refundVoidRefused, refundInsteadRecorded
    // A void.
    case voidIntentionRecorded, voidAnswered, voidRecorded, storedSaleDropped
    // A settlement.
    case batchOpened, batchAnswered, batchReleased, batchForceAnswered, batchClosed
    // Recovery.
    case orphanFound, orphanRecorded, statusReceived, recoveryReversalRecorded, recoveryReversalAnswered
    case recoveryOutcomeRecorded
}
