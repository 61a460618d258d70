import Testing

@testable import readerctl

@Suite struct HelpTextTests {
    @Test("the overview is this text")
    func overview() {
        let expected = """
            ReaderKit 0.1.0: card payments on a Linux kiosk.

            Usage: readerctl COMMAND [OPTIONS]

            Commands:
              probe         List the card readers and say what is wrong with them
              decode        Decode EMV data
              cryptogram    Verify the cryptogram in chip data (field 55)
              sale          Take a payment
              refund        Return the money of a sale, or part of it
              void          Take back a whole sale on its own day, without a card
              open          Carry out the request of another app (billpocket://) and reply to it
              resolve       Find out the end of payments that were left open
              settle        Close the day's batch and compare it with the host
              webhooks      Say which approved sales the merchant's server was told of, or tell it
              transactions  List the transactions, the newest first
              transaction   Show one transaction and its journal
              receipt       Print the receipt of a transaction
              attach        Keep the signature that was given for a sale
              config        Check the configuration, or show what is in effect
              host          Be an acquirer's host, for tests and demonstrations
              bridge        Offer the reader's byte stream to other programs, until Ctrl-C
              simulate      List the simulated cards
              completion    Print a completion script for a shell

            Options of every command:
              --data DIR                Where the ledger is kept (else $READERKIT_DATA, else the XDG state directory)
              --config FILE             Configuration (else /etc/readerkit/readerkit.json, else built-in defaults)
              --reader ID               Choose one of several readers
              --simulate CARD           Use the built-in simulated reader with this card
              --simulate-reader FAMILY  Family of the simulated reader (default ccid) [ccid|neo2|qpos|mpi]
              --help                    Show help
              --version                 Show the version

            'readerctl COMMAND --help' tells more about one command.

            """
        #expect(HelpText.overview == expected)
    }

    @Test("the help of one command is this text")
    func command() {
        let expected = """
            Print the receipt of a transaction.

            Usage: readerctl receipt [OPTIONS] ID

            Options:
              --copy COPY          Whose copy (default cardholder) [merchant|cardholder]
              --language LANGUAGE  Default es [es|en]
              --format FORMAT      Default text [text|html|json]

            """
        #expect(HelpText.command(CommandTable.receipt).hasPrefix(expected))
    }

    @Test(
        "the help of a command names each of its options, values and choices", arguments: CommandTable.all.map(\.name))
    func options(name: String) throws {
        let spec = try #require(CommandTable.all.first { $0.name == name })
        let text = HelpText.command(spec)
        #expect(text.hasPrefix(spec.summary + ".\n"))
        #expect(
            text.contains("\nUsage: readerctl \(name) [OPTIONS]\(spec.operands.isEmpty ? "" : " ")\(spec.operands)\n"))
        for option in spec.options + spec.globalOptions {
            let column = option.value.map { "\(option.name) \($0)" } ?? option.name
            #expect(text.contains("\n  \(column)  "), "\(column)")
            #expect(text.contains(option.help))
            if !option.choices.isEmpty { #expect(text.contains("[\(option.choices.joined(separator: "|"))]")) }
        }
    }

    @Test("the usage of a mistake without a command points to the overview")
    func usage() {
        #expect(HelpText.usage(nil) == "Usage: readerctl COMMAND [OPTIONS]; see 'readerctl --help'.")
        #expect(HelpText.usage(CommandTable.sale) == "Usage: readerctl sale [OPTIONS]")
        #expect(HelpText.usage(CommandTable.decode) == "Usage: readerctl decode [OPTIONS] [FILE|-|HEX...]")
    }
}
