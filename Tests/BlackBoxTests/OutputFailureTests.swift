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

    @Test("a list of which only the beginning is read ends without a word")
    func unread() async throws {
        for amount in ["1.00", "2.00", "3.00"] { _ = try await run(simulatedSale(amount)) }
        // The reader has come and gone before the program begins: the pipe is closed at the first byte.
        let pipe = try Workbench.mine().path("pipe")
        let script =
            "[ -p \(pipe) ] || mkfifo \(pipe); : < \(pipe) & exec 4> \(pipe); wait; "
            + "\"$0\" \"$@\" >&4; echo \"status $?\" >&2"
        for arguments in [
            ["transactions"], ["transactions", "--json"], ["settle", "--open"], ["simulate", "--list"],
        ] {
            let ended = try await run(readerctl(arguments).started(by: "/bin/sh", "-c", script))
            #expect(ended.errors == "status 141\n", "\(arguments): \(ended)")
        }
        let beginning = "{ \"$0\" \"$@\"; echo \"status $?\" >&2; } | head -c 1"
        let sale = try await run(simulatedSale("4.00").started(by: "/bin/sh", "-c", beginning))
        #expect(sale.output == "{" && sale.errors.contains("status 0\n"), "\(sale)")
        let gone = try await run(simulatedSale("5.00").started(by: "/bin/sh", "-c", script))
        #expect(gone.errors.contains("It is recorded: see 'readerctl transactions'.\nstatus 0\n"), "\(gone)")
        let listed = try await run("transactions", "--state", "approved")
        #expect(listed.output.contains("  4.00  ") && listed.output.contains("  5.00  "), "\(listed)")
    }

    @Test("a list that cannot be written is an error")
    func list() async throws {
        let ended = try await run(shell(">/dev/full", readerctl(["simulate", "--list"])))
        #expect(ended.status == 1)
        #expect(ended.errors.contains("No space left on device"))
    }
}
