import Bridge
import JSONText
import NetworkTransport
import Payments
import Transport

/// `readerctl bridge`: the reader's byte stream for other programs, until Ctrl-C.
struct BridgeCommand: Command {
    let arguments: ParsedArguments
    let console: Console

    var endsOnInterrupt: Bool { true }

    func interrupted() {
        console.note("Closing.")
    }

    func run() async throws -> ExitStatus {
        let offer = try makeOffer()
        let settings = try BridgeLine.settings(arguments)
        let clock = SystemMonotonicClock.shared
        let source = try BridgeLine.source(arguments, settings, clock: clock)
        let options = BridgeOptions(
            offer: offer, settings: settings, signature: "readerctl \(ProductVersion.text), \(source.title)")
        let (terminal, arguments) = (console, arguments)
        let bridge = SerialBridge(options, source: source, clock: clock) { event in
            Self.show(event, source.title, arguments, on: terminal)
        }
        do throws(BridgeError) {
            try await bridge.run()
            await source.close()
        } catch {
            await source.close()
            throw failure(error, source.title)
        }
        return .done
    }

    private func failure(_ error: BridgeError, _ title: String) -> CommandFailure {
        switch error {
        case .line(let error) where error.code == .gone:
            CommandFailure(.noReader, "There is no reader at \(title). Plug it in, or choose another with --port.")
        case .line(let error):
            CommandFailure(
                .readerUnusable, "The reader at \(title) cannot be opened: \(error.underlying ?? error.code.rawValue).")
        case .terminal(let error) where error.code == .busy || error.code == .denied:
            CommandFailure(
                named: "The link cannot be made: \(error.underlying ?? error.code.rawValue).")
        case .terminal(let error):
            CommandFailure(
                named: "The link '\(arguments["--pty"] ?? "")' cannot be made: "
                    + "\(error.underlying ?? error.code.rawValue).")
        case .network(let error):
            CommandFailure(named: "The bridge cannot listen on \(arguments["--tcp"] ?? ""): \(error.detail).")
        }
    }

    private static func show(
        _ event: BridgeEvent, _ title: String, _ arguments: ParsedArguments, on console: Console
    ) {
        guard case .ready(let node, let endpoint) = event else {
            if let sentence = sentence(event, title) { console.note(sentence.printable()) }
            return
        }
        let path = arguments["--pty"]
        if arguments.has("--json") {
            console.print(
                .object([
                    "ready": true, "pty": .optional(path), "node": .optional(node),
                    "tcp": .optional(endpoint.map { "\($0)" }), "rfc2217": .bool(arguments.has("--rfc2217")),
                    "line": .string(title),
                ]))
        } else if let path {
            console.print("\(title) is at \(path).")
        } else if let endpoint {
            console.print("\(title) is at \(endpoint)\(arguments.has("--rfc2217") ? " (RFC 2217)" : "").")
        }
    }

    private static func sentence(_ event: BridgeEvent, _ title: String) -> String? {
        switch event {
        case .ready: nil
        case .clientCame: "A program has connected."
        case .clientLeft: "The program has left."
        case .clientRefused: "A second program was refused: one at a time."
        case .clientSignature(let text): "The program calls itself '\(text.prefix(128))'."
        case .readerLeft: "The reader has left. Waiting for it at \(title)."
        case .readerBack: "The reader is back."
        case .readerUnusable(let error):
            "The reader is there, but cannot be opened: \(error.underlying ?? error.code.rawValue). Trying again."
        case .discarded(let count): "\(count) bytes for the reader were thrown away while it was not there."
        case .settingsDiffer(let asked, let kept): "The line keeps \(kept), and not \(asked)."
        }
    }
}

extension BridgeCommand {
    private func makeOffer() throws(CommandFailure) -> BridgeOptions.Offer {
        switch (arguments["--pty"], arguments["--tcp"]) {
        case (let path?, nil):
            guard !arguments.has("--rfc2217") else {
                throw CommandFailure(.usage, "--rfc2217 is spoken on a TCP port: give --tcp HOST:PORT.")
            }
            guard !path.isEmpty else { throw CommandFailure(.usage, "--pty needs the path of the link to make.") }
            return .terminal(link: path)
        case (nil, let text?):
            guard let endpoint = Endpoint(text) else {
                throw CommandFailure(.usage, "'\(text)' is not HOST:PORT, for example 127.0.0.1:2217.")
            }
            guard endpoint.isLoopback || arguments.has("--any-interface") else {
                throw CommandFailure(
                    .usage,
                    "'\(text)' can be reached from other machines, and the bridge gives everybody the reader. Listen on "
                        + "127.0.0.1, or say --any-interface.")
            }
            return arguments.has("--rfc2217") ? .rfc2217(endpoint) : .tcp(endpoint)
        case (nil, nil): throw CommandFailure(.usage, "Say where to offer the reader: --pty PATH or --tcp HOST:PORT.")
        case (_?, _?): throw CommandFailure(.usage, "--pty and --tcp are not given together.")
        }
    }
}
