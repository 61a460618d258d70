import Glibc
import Testing

@testable import Transport

@Suite("The system's monotonic clock", .timeLimit(.minutes(1)))
struct SystemMonotonicClockTests {
    let clock = SystemMonotonicClock.shared

    @Test("a time before the clock's start counts as its start")
    func beforeTheStart() {
        #expect(SystemMonotonicClock.instant(timespec(tv_sec: -5, tv_nsec: 0)).nanoseconds == 0)
        #expect(SystemMonotonicClock.instant(timespec(tv_sec: .min, tv_nsec: -1)).nanoseconds == 0)
        #expect(SystemMonotonicClock.instant(timespec(tv_sec: 5, tv_nsec: 7)).nanoseconds == 5_000_000_007)
    }

    @Test("does not go back")
    func monotonic() {
        var last = clock.now()
        for _ in 0..<1000 {
            let next = clock.now()
            #expect(next >= last)
            last = next
        }
    }

    @Test("a sleep does not end before its instant", arguments: [0, 1, 3, 10])
    func sleeps(milliseconds: Int) async {
        let end = clock.now().advanced(by: .milliseconds(milliseconds))
        await clock.sleep(until: end)
        #expect(clock.now() >= end)
    }

    @Test("a sleep until a past instant ends")
    func past() async {
        await clock.sleep(until: MonotonicInstant(nanoseconds: 0))
        await clock.sleep(until: clock.now())
    }

    @Test("a sleep that is cancelled ends early")
    func cancelled() async {
        let end = clock.now().advanced(by: .seconds(3600))
        let sleeper = Task { await SystemMonotonicClock.shared.sleep(until: end) }
        await Task.yield()
        sleeper.cancel()
        await sleeper.value
        #expect(clock.now() < end)
    }

    @Test("a sleep in a task that is cancelled already ends at once")
    func cancelledBefore() async {
        let end = clock.now().advanced(by: .seconds(3600))
        let sleeper = Task {
            while !Task.isCancelled { await Task.yield() }
            await SystemMonotonicClock.shared.sleep(until: end)
        }
        sleeper.cancel()
        await sleeper.value
        #expect(clock.now() < end)
    }

    @Test("many sleeps at once, some cancelled, all end")
    func many() async {
        let clock = clock
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<300 {
                group.addTask {
                    let end = clock.now().advanced(by: .microseconds(index * 17 % 5000))
                    let sleeper = Task { await clock.sleep(until: end) }
                    if index % 3 == 0 { sleeper.cancel() }
                    await sleeper.value
                    if index % 3 != 0 { #expect(clock.now() >= end) }
                }
            }
        }
    }
}
