import Glibc

/// Measures the kernel and the raw TLV codec for docs/performance.md. `kernelbench CARD COUNT` replays an approved
/// transaction of a simulated card so many times and prints nanoseconds of CPU time for each. `kernelbench read RECORDS` and
/// `kernelbench outline RECORDS` read so many records of sixteen data objects and print megabytes a second. Allocations are
/// counted from outside (scripts/bench.sh).
@main
enum KernelBench {
    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard arguments.count == 2, let what = arguments.first, let count = arguments.last.flatMap({ Int($0) }),
            (1...10_000_000).contains(count)
        else {
            print("usage: kernelbench CARD COUNT | kernelbench read|outline RECORDS")
            exit(2)
        }
        switch what {
        case "read": parse(RawTLV(records: count), RawTLV.read)
        case "outline": parse(RawTLV(records: count), RawTLV.outline)
        default: try run(what, count)
        }
    }

    private static func run(_ card: String, _ count: Int) throws {
        let dialogue: RecordedDialogue
        do {
            dialogue = try RecordedDialogue(card: card)
        } catch let error as RecordedDialogue.Unusable {
            print(error.reason)
            exit(1)
        }
        let start = cpuTime()
        for _ in 0..<count {
            guard dialogue.replay() else {
                print("a replay was not approved")
                exit(1)
            }
        }
        print(Int((cpuTime() - start) / Double(count) * 1e9))
    }

    private static func parse(_ input: RawTLV, _ body: (RawTLV) -> () -> Int) {
        var best = Double.infinity
        for _ in 0..<7 {
            let start = cpuTime()
            let objects = body(input)()
            best = min(best, cpuTime() - start)
            guard objects == input.records * RawTLV.objectsInARecord else {
                print("\(objects) objects were read")
                exit(1)
            }
        }
        print(Int(Double(input.bytes.count) / best / 1e6))
    }

    private static func cpuTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
