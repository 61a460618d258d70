import Decoder
import Payments
import Transport

/// Every command and option of `readerctl`.
enum CommandTable {
    static let json = OptionSpec("--json", "Give one JSON document on standard output, and nothing else")

    static let global = [
        OptionSpec("--data", "DIR", "Where the ledger is kept (else $READERKIT_DATA, else the XDG state directory)"),
        OptionSpec("--config", "FILE", "Configuration (else /etc/readerkit/readerkit.json, else built-in defaults)"),
        OptionSpec("--reader", "ID", "Choose one of several readers"),
        OptionSpec("--simulate", "CARD", "Use the built-in simulated reader with this card"),
        OptionSpec(
            "--simulate-reader", "FAMILY", choices: ["ccid", "neo2", "qpos", "mpi"],
            "Family of the simulated reader (default ccid)"),
        OptionSpec("--help", "Show help"),
    ]

    static let probe = CommandSpec(
        name: "probe", summary: "List the card readers and say what is wrong with them", operands: "",
        operandCount: 0...0,
        options: [
            json, OptionSpec("--watch", "Go on and report each change"),
            OptionSpec("--intrusive", "Also ask serial ports that are not known to be readers, by writing to them"),
        ])

    static let decode = CommandSpec(
        name: "decode", summary: "Decode EMV data", operands: "[FILE|-|HEX...]", operandCount: 0...Int.max,
        options: [
            json,
            OptionSpec(
                "--format", "FORMAT", choices: InputFormat.allCases.map(\.rawValue), "What the input is (default auto)"),
            OptionSpec(
                "--padding", "MODE", choices: ["strict", "zero", "any"], "Which filler between objects is accepted"),
            OptionSpec("--reveal", "Show card data in clear"),
        ])

    static let cryptogram = CommandSpec(
        name: "cryptogram", summary: "Verify the cryptogram in chip data (field 55)",
        operands: "verify [FILE|-|HEX...]", operandCount: 1...Int.max,
        options: [
            OptionSpec("--imk-file", "FILE", "Issuer master key for cryptograms: a file of 32 hex digits"),
            OptionSpec("--imk", "HEX", "The same on the command line, where other users can see it: test keys only"),
            OptionSpec("--pan", "PAN", "Card number (default: that of the data, tag 5A or 57)"),
            OptionSpec("--psn", "NN", "Its sequence number (default: that of the data, tag 5F34, else 00)"),
            OptionSpec(
                "--derivation", "OPTION", choices: ["a", "b", "c"],
                "How the card key is derived (default a; c with AES)"),
            OptionSpec("--arpc", "CODE", "Also give the answer to the card for this response code, for example 00"),
            json,
        ])

    static let sale = CommandSpec(
        name: "sale", summary: "Take a payment", operands: "", operandCount: 0...0,
        options: [
            OptionSpec("--amount", "AMOUNT", "Two decimals, without the tip: 100.00"),
            OptionSpec("--tip", "AMOUNT", "Two decimals"),
            OptionSpec("--currency", "CODE", choices: ["MXN"], "Currency (default MXN)"),
            OptionSpec("--msi", "MONTHS", choices: ["0", "3", "6", "9", "12"], "Months without interest (default 0)"),
            OptionSpec("--reference", "TEXT", "At most 256 characters, returned as sent"),
            OptionSpec("--identifier", "TEXT", "Your own id of the payment, at most 256 characters, returned as sent"),
            OptionSpec("--email", "ADDRESS", "For the receipt, at most 150 characters"),
            OptionSpec("--phone", "NUMBER", "For the receipt, at most 14 characters"),
            OptionSpec("--timeout", "SECONDS", "How long to wait for a card, 1 to 600 (default 60)"), json,
        ])

    static let refund = CommandSpec(
        name: "refund", summary: "Return the money of a sale, or part of it", operands: "", operandCount: 0...0,
        options: [
            OptionSpec("--transaction-id", "ID", "The sale to refund"),
            OptionSpec("--amount", "AMOUNT", "Two decimals (default: everything that is left, tip included)"),
            OptionSpec("--identifier", "TEXT", "Your own id of the refund, returned as sent"), json,
        ])

    static let void = CommandSpec(
        name: "void", summary: "Take back a whole sale on its own day, without a card", operands: "ID",
        operandCount: 1...1, options: [json])

    static let open = CommandSpec(
        name: "open", summary: "Carry out the request of another app (billpocket://) and reply to it",
        operands: "[URL|-]", operandCount: 0...1,
        options: [
            OptionSpec("--print", "Write the reply's URL to standard output instead of delivering it"),
            OptionSpec("--photo", "FILE", "The photo for the sale: JPEG or PNG, at most 10 MiB"),
            OptionSpec("--pending", "List the replies that could not be delivered"),
            OptionSpec("--retry", "Offer them again"), json,
        ])

    static let resolve = CommandSpec(
        name: "resolve", summary: "Find out the end of payments that were left open", operands: "[ID]",
        operandCount: 0...1,
        options: [
            json, OptionSpec("--watch", "Go on until Ctrl-C, making each attempt when it is due"),
            OptionSpec("--list", "Only list what is open, and offline sales that are stored or refused"),
            OptionSpec(
                "--as", "OUTCOME", choices: OperatorDecision.allCases.map(\.rawValue),
                "Record a person's decision on a transaction in manualReview"),
        ])

    static let settle = CommandSpec(
        name: "settle", summary: "Close the day's batch and compare it with the host", operands: "",
        operandCount: 0...0,
        options: [
            json, OptionSpec("--force", "Close without what has no end yet, and with a difference"),
            OptionSpec("--open", "Show what the next batch would hold; nothing is changed or sent"),
            OptionSpec("--list", "Show the batches, the newest first"),
        ])

    static let webhooks = CommandSpec(
        name: "webhooks", summary: "Say which approved sales the merchant's server was told of, or tell it",
        operands: "", operandCount: 0...0,
        options: [
            json, OptionSpec("--send", "Send what is due now"),
            OptionSpec("--watch", "Go on until Ctrl-C, sending each when it is due"),
            OptionSpec("--retry", "ID", "Send the one of this transaction now, also one that was given up"),
            OptionSpec("--ping", "Try the address with the body {}"),
        ])

    static let transactions = CommandSpec(
        name: "transactions", summary: "List the transactions, the newest first", operands: "", operandCount: 0...0,
        options: [json, OptionSpec("--state", "STATE", "Only those in this state, for example approved or unknown")])

    static let transaction = CommandSpec(
        name: "transaction", summary: "Show one transaction and its journal", operands: "ID", operandCount: 1...1,
        options: [json])

    static let receipt = CommandSpec(
        name: "receipt", summary: "Print the receipt of a transaction", operands: "ID", operandCount: 1...1,
        options: [
            OptionSpec("--copy", "COPY", choices: ["merchant", "cardholder"], "Whose copy (default cardholder)"),
            OptionSpec("--language", "LANGUAGE", choices: ["es", "en"], "Default es"),
            OptionSpec("--format", "FORMAT", choices: ["text", "html", "json"], "Default text"),
        ])

    static let attach = CommandSpec(
        name: "attach", summary: "Keep the signature that was given for a sale", operands: "ID", operandCount: 1...1,
        options: [OptionSpec("--signature", "FILE", "Its image: PNG or JPEG, at most 10 MiB"), json])

    static let config = CommandSpec(
        name: "config", summary: "Check the configuration, or show what is in effect", operands: "check|show",
        operandCount: 1...1, options: [json])

    static let host = CommandSpec(
        name: "host", summary: "Be an acquirer's host, for tests and demonstrations", operands: "",
        operandCount: 0...0,
        options: [
            OptionSpec("--listen", "HOST:PORT", "Where to listen; port 0 is any (default 127.0.0.1:8583)"),
            OptionSpec("--any-interface", "Allow addresses that other machines can reach"),
            OptionSpec("--protocol", "NAME", choices: ["iso8583", "json"], "What is spoken (default iso8583)"),
            OptionSpec("--profile", "NAME", "ascii, binary, bcd, ebcdic or a file (default ascii)"),
            OptionSpec(
                "--framing", "PREFIX", choices: ["binary-2", "ascii-4", "bcd-2"],
                "The length before each message (default binary-2)"),
            OptionSpec("--header", "HEX", "After the length, for example a TPDU"),
            OptionSpec("--header-uncounted", "The length does not count the header"),
            OptionSpec("--swap-addresses", "Exchange the TPDU's addresses in answers"),
            OptionSpec("--tls-cert", "FILE", "Speak TLS with this certificate (PEM)"),
            OptionSpec("--tls-key", "FILE", "Its key (PEM)"),
            OptionSpec(
                "--mac", "METHOD", choices: ["retail", "hmac-sha256"], "Authentication codes in field 64 or 128"),
            OptionSpec("--mac-key", "FILE", "Their key: hex digits"),
            OptionSpec("--card-data-key", "FILE", "The key of encrypted card data: 64 hex digits"),
            OptionSpec("--script", "FILE", "Faults to show (JSON)"), json,
        ])

    static let bridge = CommandSpec(
        name: "bridge", summary: "Offer the reader's byte stream to other programs, until Ctrl-C", operands: "",
        operandCount: 0...0,
        options: [
            OptionSpec("--pty", "PATH", "As a serial port: a link to a pseudo terminal"),
            OptionSpec("--tcp", "HOST:PORT", "As a TCP port, for one program at a time; port 0 is any"),
            OptionSpec("--rfc2217", "Speak Telnet with the com port option on it, by which the program sets the line"),
            OptionSpec("--any-interface", "Allow addresses that other machines can reach"),
            OptionSpec("--port", "USB-PORT", "The reader at this USB port, for example 1-1.2"),
            OptionSpec("--baud", "N", "Bits per second (default 115200)"),
            OptionSpec("--parity", "PARITY", choices: SerialSettings.Parity.allCases.map(\.rawValue), "Default none"),
            OptionSpec("--data-bits", "N", choices: ["5", "6", "7", "8"], "Default 8"),
            OptionSpec("--stop-bits", "N", choices: ["1", "2"], "Default 1"),
            OptionSpec(
                "--flow", "CONTROL", choices: SerialSettings.FlowControl.allCases.map(\.rawValue), "Default none"),
            OptionSpec(
                "--simulate-reader", "FAMILY", choices: SimulatedLine.Family.allCases.map(\.rawValue),
                "Family of the simulated reader (default neo2)"),
            json,
        ])

    static let simulate = CommandSpec(
        name: "simulate", summary: "List the simulated cards", operands: "", operandCount: 0...0,
        options: [OptionSpec("--list", "List the cards that --simulate takes"), json])

    static let completion = CommandSpec(
        name: "completion", summary: "Print a completion script for a shell", operands: "bash|zsh|fish",
        operandCount: 1...1, options: [])

    static let all = [
        probe, decode, cryptogram, sale, refund, void, open, resolve, settle, webhooks, transactions, transaction,
        receipt, attach, config, host, bridge, simulate, completion,
    ]
}
