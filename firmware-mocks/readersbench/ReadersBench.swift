import Glibc
import Readers
import Serial

/// Measures many readers in one process for docs/performance.md: `readersbench memory|lines FAMILY,... READERS SALES` has so
/// many readers, of these families in turn, each with one sale after another, until so many sales were made together;
/// prints, for a sale, nanoseconds of CPU time of the process, nanoseconds of wall time, and how often a thousand sales made a
/// thread of it fall asleep. With one reader each family has a turn
/// of its own. Driver, kernel, card and the reader's firmware are all in this process. `scripts/bench-readers.sh` runs it.
@main
enum ReadersBench {
    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        let families = arguments.dropFirst().first.map {
            $0.split(separator: ",").compactMap { ReaderFamily(rawValue: String($0)) }
        }
        guard arguments.count == 4, let families, !families.isEmpty, ["memory", "lines"].contains(arguments[0]),
            let readers = Int(arguments[2]), (1...1_024).contains(readers),
            let sales = Int(arguments[3]), (1...10_000_000).contains(sales)
        else {
            print("usage: readersbench memory|lines ccid|neo2|qpos|mpi,... READERS SALES")
            exit(2)
        }
        let bench = ReadersBench.Run(families: families, onLines: arguments[0] == "lines")
        // As the payments of `readerctl`: on the threads that tasks share, not on the main one.
        try await Task.detached { try await bench.measure(readers, sales) }.value
    }

    struct Run: Sendable {
        let families: [ReaderFamily]
        let onLines: Bool

        /// Sales of each reader before anything is measured.
        private static let warmUp = 10

        func measure(_ readers: Int, _ sales: Int) async throws {
            let (ports, terminals) = (SerialContext(), SerialContext())
            // Alone is alone: each family has its turn, so that a sale is the same mixture as with many.
            let groups = readers == 1 ? families.map { [$0] } : [(0..<readers).map { families[$0 % families.count] }]
            var (cpu, wall, sleeps) = (0.0, 0.0, 0)
            for group in groups {
                var all: [BenchReader] = []
                for family in group {
                    all.append(
                        try await onLines
                            ? .onLine(family, ports: ports, terminals: terminals) : .inMemory(family))
                }
                try await together(all, Self.warmUp * all.count)
                let start = (Self.time(CLOCK_PROCESS_CPUTIME_ID), Self.time(CLOCK_MONOTONIC), Self.sleeps)
                try await together(all, sales / groups.count)
                cpu += Self.time(CLOCK_PROCESS_CPUTIME_ID) - start.0
                wall += Self.time(CLOCK_MONOTONIC) - start.1
                sleeps += Self.sleeps - start.2
                for reader in all { await reader.close() }
            }
            await ports.shutdown()
            await terminals.shutdown()
            let made = Double(sales / groups.count * groups.count)
            print(Int(cpu / made * 1e9), Int(wall / made * 1e9), Int(Double(sleeps) / made * 1e3))
        }

        private func together(_ readers: [BenchReader], _ sales: Int) async throws {
            try await withThrowingTaskGroup { group in
                for (index, reader) in readers.enumerated() {
                    group.addTask {
                        for _ in stride(from: index, to: sales, by: readers.count) { try await reader.sale() }
                    }
                }
                try await group.waitForAll()
            }
        }

        /// Voluntary switches to another thread.
        private static var sleeps: Int {
            var usage = rusage()
            getrusage(RUSAGE_SELF.rawValue, &usage)
            return usage.ru_nvcsw
        }

        private static func time(_ clock: clockid_t) -> Double {
            var time = timespec()
            clock_gettime(clock, &time)
            return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        }
    }
}
