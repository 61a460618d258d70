import Notices
import Payments
import Transport

/// Resolves what earlier runs have left open while a payment is under way, and tells the merchant's server of approved
/// sales. It never delays the payment: the payment's result is shown first, and then at most a second is spent on
/// waiting.
struct RecoveryBeside: Sendable {
    let pipeline: PaymentPipeline
    /// Nil: nobody is told.
    var outbox: NoticeOutbox?

    private static let grace = Duration.seconds(1)

    func run(
        _ payment: () async -> PaymentResult, show: (PaymentResult) async -> ExitStatus
    ) async -> ExitStatus {
        let pipeline = pipeline
        let recovery = Task {
            // What cannot be resolved now is found by the next run.
            _ = try? await Recovery(pipeline).run(.due, until: .after(pipeline.limits.host, on: pipeline.clock))
        }
        let earlier = sendNotices()
        let status = await show(payment())
        // Not behind the earlier ones, whose receiver may be slow.
        let own = sendNotices()
        let end = Task {
            await pipeline.clock.sleep(until: pipeline.clock.now().advanced(by: Self.grace))
            for task in [recovery, earlier, own] { task.cancel() }
        }
        for task in [recovery, earlier, own] { await task.value }
        end.cancel()
        pipeline.owner.end()
        return status
    }

    /// What cannot be sent now is sent by the next run, or by `readerctl webhooks`.
    private func sendNotices() -> Task<Void, Never> {
        let (outbox, pipeline) = (outbox, pipeline)
        return Task {
            _ = try? await outbox?.send(.recent, until: .after(pipeline.limits.host, on: pipeline.clock))
        }
    }
}
