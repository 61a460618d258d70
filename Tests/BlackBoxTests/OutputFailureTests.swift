import Testing

/// A result that cannot be written is told, and no payment ends because nobody reads.
@Suite(.blackBox) struct OutputFailureTests {
    /// Runs `readerctl` by a shell that redirects its descriptors.
    private func shell(_ redirection: String, _ program: Program) -> Program {
        program.started(by: "/bin/sh", "-c", "\"$0\" \"$@\" \(redirection)")
    }

    @Test(
        "a sale whose result cannot be written is approved and recorded, and says where to look",
        arguments: [">/dev/full", ">&-", "| true"])
    func sale(redirection: String) async throws {
        let ended = try await run(shell(redirection, simulatedSale("20.00")))
        // In a pipe the status is that of the last program.
        #expect(ended.status == 0)
        if redirection == ">/dev/full" {
            #expect(ended.errors.contains("The result could not be written"))
            #expect(ended.errors.contains("'readerctl transactions'"))
        }
        let listed = try await run("transactions", "--state", "approved")
        #expect(listed.output.contains("20.00"))
    }

    @Test("a list that cannot be written is an error")
    func list() async throws {
        let ended = try await run(shell(">/dev/full", readerctl(["simulate", "--list"])))
        #expect(ended.status == 1)
        #expect(ended.errors.contains("No space left on device"))
    }
}
