import Foundation
import Glibc
import Testing
import Transport

/// The program is killed at random instants under a mixed load of several processes. `make soak` does it a thousand times.
@Suite(.blackBox) struct SoakTests {
    /// SplitMix64: the same numbers for the same seed.
    private struct Draw {
        var state: UInt64

        mutating func next(below bound: UInt64) -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var number = state
            number = (number ^ (number >> 30)) &* 0xBF58_476D_1CE4_E5B9
            number = (number ^ (number >> 27)) &* 0x94D0_49BB_1331_11EB
            return (number ^ (number >> 31)) % bound
        }

        mutating func pick<Element>(_ all: [Element]) -> Element { all[Int(next(below: UInt64(all.count)))] }
    }

    private static func number(_ name: String) -> UInt64? {
        ProcessInfo.processInfo.environment[name].flatMap(UInt64.init)
    }

    @Test("killed at random instants, ledger and host agree to the cent, and nothing is left open")
    func kills() async throws {
        let wanted = Int(Self.number("READERKIT_SOAK_KILLS") ?? 20)
        let seed = Self.number("READERKIT_SOAK_SEED") ?? UInt64.random(in: 0 ... .max)
        print("soak: \(wanted) kills, READERKIT_SOAK_SEED=\(seed)")
        var draw = Draw(state: seed)
        let clock = SystemMonotonicClock.shared
        // How long four undisturbed sales take on this machine.
        let begin = clock.now()
        var sales: [String] = []
        for sale in try (0..<4).map({ _ in try Workbench.mine().start(Self.atNoon(simulatedSale("100.00"))) }) {
            sales.append(try await sale.end().text("transactionid"))
            sale.removeSharedClock()
        }
        let length = begin.duration(to: clock.now()).wholeNanoseconds / 1_000
        var (kills, refunds) = (0, 0)
        var turns = 0
        while kills < wanted, turns < wanted * 10 {
            var programs: [(RunningProgram, UInt64)] = []
            for _ in 0..<4 {
                turns += 1
                programs.append(
                    (try Workbench.mine().start(program(turns, &draw, sales)), draw.next(below: length * 5 / 4)))
            }
            let start = clock.now()
            for (program, microseconds) in programs.sorted(by: { $0.1 < $1.1 }) {
                await clock.sleep(until: start.advanced(by: .microseconds(Int64(microseconds))))
                program.send(SIGKILL)
            }
            for (program, _) in programs {
                let ended = await program.end()
                program.removeSharedClock()
                if ended.status == 128 + SIGKILL { kills += 1 }
                guard ended.status == 0, let id = try? ended.text("transactionid") else { continue }
                if program.program.arguments.contains("refund") { refunds += 1 } else { sales.append(id) }
            }
        }
        print("soak: \(kills) kills, \(sales.count) sales and \(refunds) refunds approved in spite of them")
        #expect(kills >= wanted)
        let resolved = try await run("resolve", "--json")
        #expect(resolved.status == 0, "\(resolved)")
        try await Books(data: Workbench.mine().data).check()
        let running = try FileManager.default.contentsOfDirectory(atPath: Workbench.mine().data + "/running")
        #expect(running.isEmpty)
    }

    private func program(_ turn: Int, _ draw: inout Draw, _ sales: [String]) -> Program {
        // A refund needs a minute after its sale, and an hour before 23:00: it needs libfaketime.
        if Prerequisites.faketimeLibrary != nil, draw.next(below: 3) == 0 {
            let amount = draw.pick(["1.00", "10.00", "190.00"])
            return Self.atNoon(
                refund(of: draw.pick(sales), "--amount", amount, "--identifier", "r\(turn)"), minutes: 5)
        }
        return Self.atNoon(
            simulatedSale(
                draw.pick(["100.00", "123.45", "250.00", "50.00", "110.00"]), "--identifier", "s\(turn)",
                card: draw.pick(["visa-credit", "visa-credit", "mastercard-debit", "declines-second"])))
    }

    /// Started on the same day in Mexico City, whatever the day is: at noon, or some minutes later.
    private static func atNoon(_ program: Program, minutes: Int = 0) -> Program {
        guard let library = Prerequisites.faketimeLibrary else { return program }
        var shifted = program.shifted("@2026-11-30 12:\(minutes < 10 ? "0" : "")\(minutes):00", by: library)
        shifted.environment["TZ"] = "America/Mexico_City"
        return shifted
    }
}
