import Glibc

/// A thread that runs until the process ends.
enum BackgroundThread {
    private final class Work: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        var thread = pthread_t()
        let context = Unmanaged.passRetained(Work(body))
        let code = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body()
                return nil
            }, context.toOpaque())
        guard code == 0 else {
            context.release()
            return false
        }
        pthread_detach(thread)
        return true
    }
}
