import Payments
import Transport

/// Resolves what earlier runs have left open while a payment is under way, and never delays it: the payment's result is
/// shown first, and then at most a second is spent on waiting.
struct RecoveryBeside: Sendable {
    let pipeline: PaymentPipeline

    private static let grace = Duration.seconds(1)

    func run(
        _ payment: () async -> PaymentResult, show: (PaymentResult) async -> ExitStatus
    ) async -> ExitStatus {
        let pipeline = pipeline
        let recovery = Task {
            // What cannot be resolved now is found by the next run.
            _ = try? await Recovery(pipeline).run(.due, until: .after(pipeline.limits.host, on: pipeline.clock))
        }
        let status = await show(payment())
        let end = Task {
            await pipeline.clock.sleep(until: pipeline.clock.now().advanced(by: Self.grace))
            recovery.cancel()
        }
        await recovery.value
        end.cancel()
        pipeline.owner.end()
        return status
    }
}
