import Testing

/// A sample of the fault matrix with everything real but the device: the `readerctl` program, its ledger, libusb, libudev.
@Suite(.enabled(if: Prerequisites.rungTwo == nil, "\(Prerequisites.rungTwo ?? "")"))
struct FaultSampleTests {
    /// The commands of a Visa sale at extended level that are worth a fault, with what must come of it.
    private static let samples: [(command: Int, status: Int32, state: String?)] = [
        // The first question to the reader, when nothing is promised yet; power on; the first GENERATE AC.
        (1, 4, nil), (3, 4, "failed"), (12, 4, "failed"),
        // EXTERNAL AUTHENTICATE and the second GENERATE AC: the issuer has approved.
        (13, 4, "reversed"), (14, 4, "reversed"),
        // The power off.
        (15, 0, "approved"),
    ]

    /// Silence costs real seconds, in which the processor is free: the faults run side by side, each on a workbench of its
    /// own, and do not queue with the other black-box tests.
    @Test(arguments: ["unplug-after", "silent", "stall", "short", "wrong-seq"])
    func `program and ledger tell the truth`(fault: String) async throws {
        let bench = try Workbench()
        do {
            try await Workbench.$current.withValue(bench) { try await runSamples(fault) }
        } catch {
            await bench.close()
            throw error
        }
        await bench.close()
    }

    private func runSamples(_ fault: String) async throws {
        let reader = try await MockReader("ccid:card=visa-credit,level=extended,port=1-1")
        var states: [String] = []
        for sample in Self.samples {
            let what = "\(fault) at command \(sample.command)"
            try await reader.steer("1-1 fault \(sample.command) \(fault)")
            let ended = try await reader.run("sale", "--amount", "100.00", "--json")
            #expect(ended.status == sample.status, "\(what): \(ended.errors)")
            if let state = sample.state { states.insert(state, at: 0) }
            try await check(states, after: ended, isRecorded: sample.state != nil, what)

            if fault == "unplug-after" { try await reader.steer("1-1 plug") }
            let next = try await reader.run("sale", "--amount", "100.00", "--json")
            #expect(next.status == 0, "the sale after \(what): \(next.errors)")
            states.insert("approved", at: 0)
            try await check(states, after: next, isRecorded: true, "the sale after \(what)")
        }
        await reader.close()
    }

    /// The ledger holds these states, the newest first, and the newest is what the sale said.
    private func check(_ states: [String], after sale: Ended, isRecorded: Bool, _ what: String) async throws {
        let listed = try await run("transactions", "--json").list("transactions")
        #expect(listed.map { $0["state"] as? String } == states, "\(what)")
        let id = try sale.text("transactionid")
        guard isRecorded else {
            #expect(id == "", "\(what)")
            return
        }
        #expect(listed.first?["transactionid"] as? String == id, "\(what)")
        #expect(listed.first?["outcome"] as? String == (try sale.text("outcome")), "\(what)")
    }
}
