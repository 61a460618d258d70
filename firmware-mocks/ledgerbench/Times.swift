import Glibc

/// Durations in nanoseconds.
struct Times {
    private var values: [Int] = []

    mutating func measure(_ body: () async throws -> Void) async rethrows {
        let start = ContinuousClock.now
        try await body()
        values.append(nanoseconds(ContinuousClock.now - start))
    }

    var median: Int { percentile(50) }

    func percentile(_ percent: Int) -> Int {
        guard !values.isEmpty else { return 0 }
        return values.sorted()[min(values.count * percent / 100, values.count - 1)]
    }
}

func nanoseconds(_ duration: Duration) -> Int {
    let (seconds, attoseconds) = duration.components
    return Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
}

func fileSize(_ path: String) -> Int {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : 0
}
