import Synchronization
import Transport

/// The trace file on a thread of its own, since it blocks for a flush.
final class TraceBook: Sendable {
    private let file: FileOnThread
    private let now: @Sendable () -> Int64

    /// - Parameter now: the wall clock, in milliseconds since 1970.
    init(path: String, flushesLines: Bool, now: @escaping @Sendable () -> Int64) throws(GatewayError) {
        self.now = now
        do throws(TransportError) {
            file = try FileOnThread(TraceFile(path: path, flushesLines: flushesLines))
        } catch {
            throw .notSent(reason: "no thread for the trace file: \(error)")
        }
    }

    /// What a message was sent with. Throws `notSent` when the file cannot be read.
    func record(of attempt: AttemptID, _ kind: TraceRecord.Kind) async throws(GatewayError) -> TraceRecord? {
        try await file.run { file throws(TraceFile.Failure) in try file.record(of: attempt, kind) }
    }

    /// The numbers for a message: those of its first time when it is a repeat. Throws `notSent`: without a number
    /// nothing may be sent.
    /// - Parameters:
    ///   - local: MMDDhhmmss; nil: the present Universal Time.
    ///   - retrievalReference: of another message that this one belongs to; nil makes a new one.
    func take(
        _ attempt: AttemptID?, _ kind: TraceRecord.Kind, type: String, local: String? = nil,
        retrievalReference: String? = nil, minorUnits: Int64 = 0, currency: UInt16 = 0
    ) async throws(GatewayError) -> (record: TraceRecord, isNew: Bool) {
        let time = UniversalTime(milliseconds: now())
        return try await file.run { file throws(TraceFile.Failure) in
            try file.take(attempt, kind, day: time.day) { stan in
                TraceRecord(
                    stan: stan, kind: kind, attempt: attempt, messageType: type, transmission: time.transmission,
                    local: local ?? time.transmission,
                    retrievalReference: retrievalReference ?? time.referencePrefix + TraceRecord.padded(stan, 6),
                    minorUnits: minorUnits, currency: currency, day: time.day)
            }
        }
    }

    func close() {
        file.close()
    }
}

/// Confines the file to its thread.
private final class FileOnThread: Sendable {
    private let worker: BlockingWorker
    /// Only the thread ever takes the lock.
    private let file: Mutex<TraceFile>
    /// Held while a job is queued, so that none is queued behind the thread's end.
    private let isClosed = Mutex(false)

    init(_ file: TraceFile) throws(TransportError) {
        worker = try BlockingWorker(named: "trace")
        self.file = Mutex(file)
    }

    func run<Value: Sendable>(
        _ job: @escaping @Sendable (inout TraceFile) throws(TraceFile.Failure) -> Value
    ) async throws(GatewayError) -> Value {
        let result: Result<Value, TraceFile.Failure> = await withCheckedContinuation { continuation in
            let isQueued = isClosed.withLock { isClosed in
                guard !isClosed else { return false }
                worker.enqueue { continuation.resume(returning: self.result(of: job)) }
                return true
            }
            if !isQueued {
                continuation.resume(returning: .failure(TraceFile.Failure(reason: "the gateway has been closed")))
            }
        }
        do throws(TraceFile.Failure) {
            return try result.get()
        } catch {
            throw .notSent(reason: error.reason)
        }
    }

    func close() {
        isClosed.withLock { isClosed in
            guard !isClosed else { return }
            isClosed = true
            worker.enqueue { self.file.withLock { $0.close() } }
            worker.stop()
        }
    }

    private func result<Value>(
        of job: (inout TraceFile) throws(TraceFile.Failure) -> Value
    ) -> Result<Value, TraceFile.Failure> {
        file.withLock { file in
            do throws(TraceFile.Failure) {
                return .success(try job(&file))
            } catch {
                return .failure(error)
            }
        }
    }
}
