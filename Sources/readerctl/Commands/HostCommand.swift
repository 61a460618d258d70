import AcquirerHost
import Crypto
import Gateways
import Glibc
import ISO8583
import JSONText
import Money
import NetworkTransport
import Transport

/// `readerctl host`: the issuer simulator as an acquirer's host on a port.
struct HostCommand: Command {
    let arguments: ParsedArguments
    let console: Console

    var endsOnInterrupt: Bool { true }

    func interrupted() {
        console.note("Closing.")
    }

    func run() async throws -> ExitStatus {
        let options = try makeOptions()
        let script = try makeScript()
        let clock = SystemMonotonicClock.shared
        var simulatorOptions = IssuerSimulator.Options()
        simulatorOptions.bookPath = try Self.bookPath(arguments["--data"])
        let simulator = try IssuerSimulator(clock: clock, options: simulatorOptions)
        let (terminal, isJSON) = (console, arguments.has("--json"))
        let (host, endpoint): (AcquirerHost, Endpoint)
        do throws(NetworkError) {
            host = try AcquirerHost(options, simulator: simulator, script: script, clock: clock) { event in
                Self.show(event, on: terminal, isJSON)
            }
            endpoint = try host.start()
        } catch {
            throw CommandFailure(
                named: "The host cannot listen on \(options.endpoint): \(error.detail).")
        }
        showReady(endpoint)
        await clock.sleep(until: MonotonicInstant(nanoseconds: .max))
        await host.stop()
        showTotals(host.totals(in: .mxn))
        return .done
    }

    private var wireProtocol: String { arguments["--protocol"] ?? "iso8583" }

    private func showReady(_ endpoint: Endpoint) {
        if arguments.has("--json") {
            console.print(
                .object([
                    "ready": true, "listen": .string("\(endpoint)"), "protocol": .string(wireProtocol),
                    "tls": .bool(arguments["--tls-cert"] != nil),
                ]))
        } else {
            console.print("Listening on \(endpoint) (\(wireProtocol)).")
        }
    }

    private static func show(_ event: HostEvent, on console: Console, _ isJSON: Bool) {
        let amount = event.amount.map { JSONValue.integer($0) } ?? .null
        if isJSON {
            console.print(
                .object([
                    "operation": .string(event.operation.rawValue), "attempt": .optional(event.attempt),
                    "amount": amount, "responseCode": .optional(event.responseCode),
                    "fault": .optional(event.fault?.rawValue),
                ]))
            return
        }
        let words = [
            event.operation.rawValue, event.attempt, event.amount.map(String.init), event.responseCode,
            event.fault?.rawValue,
        ]
        console.print(words.compactMap { $0 }.joined(separator: "  ").printable())
    }

    private func showTotals(_ totals: HostTotals) {
        if arguments.has("--json") {
            console.print(.object(["totals": totals.jsonValue]))
        } else {
            console.print(
                "\(totals.sales) sales, \(totals.refunds) refunds, \(totals.reversals) reversals; net \(totals.net) cents."
            )
        }
    }
}

extension HostCommand {
    private func makeOptions() throws(CommandFailure) -> AcquirerHostOptions {
        let text = arguments["--listen"] ?? "127.0.0.1:8583"
        guard let endpoint = Endpoint(text) else {
            throw CommandFailure(.usage, "'\(text)' is not HOST:PORT, for example 127.0.0.1:8583.")
        }
        guard endpoint.isLoopback || arguments.has("--any-interface") else {
            throw CommandFailure(
                .usage,
                "'\(text)' can be reached from other machines, and the host answers everybody. Listen on 127.0.0.1, or "
                    + "say --any-interface.")
        }
        var options = AcquirerHostOptions(endpoint: endpoint, wireProtocol: try makeProtocol())
        switch (arguments["--tls-cert"], arguments["--tls-key"]) {
        case (let certificate?, let key?):
            options.tls = TLSServerSettings(certificateFile: certificate, keyFile: key)
        case (nil, nil): break
        default: throw CommandFailure(.usage, "--tls-cert and --tls-key are given together or not at all.")
        }
        switch (arguments["--mac"].flatMap(ISO8583GatewayOptions.MACMethod.init), arguments["--mac-key"]) {
        case (let method?, let file?): options.mac = (method, try KeyFile.read(file, method.keyLengths))
        case (nil, nil): break
        default: throw CommandFailure(.usage, "--mac and --mac-key are given together or not at all.")
        }
        if let file = arguments["--card-data-key"] { options.cardDataKey = try KeyFile.read(file, 32...32) }
        return options
    }

    private func makeProtocol() throws(CommandFailure) -> AcquirerHostOptions.WireProtocol {
        guard wireProtocol == "iso8583" else { return .json }
        var header: [UInt8] = []
        if let digits = arguments["--header"] {
            guard let bytes = ISO8583.HexDigits.decode(Array(digits.utf8)) else {
                throw CommandFailure(.usage, "'\(digits)' is not hexadecimal.")
            }
            header = bytes
        }
        let prefix = MessageFraming.LengthPrefix(rawValue: arguments["--framing"] ?? "binary-2") ?? .binary2
        guard
            let framing = MessageFraming(
                prefix: prefix, header: header, lengthCountsHeader: !arguments.has("--header-uncounted"),
                swapsAddresses: arguments.has("--swap-addresses"))
        else {
            throw CommandFailure(
                .usage, "The header is longer than 32 bytes, or is not the 5 bytes whose addresses can be swapped.")
        }
        return .iso8583(try HostProfile.load(arguments["--profile"] ?? "ascii"), framing)
    }

    private func makeScript() throws(CommandFailure) -> HostScript {
        guard let path = arguments["--script"] else { return HostScript() }
        let bytes = try InputFile.read(path, limit: 1 << 20)
        do throws(HostScriptError) {
            return try HostScript(json: bytes)
        } catch {
            throw CommandFailure(named: "The script '\(path)' is wrong at '\(error.place)'.")
        }
    }

    /// The book of the built-in simulator: what it has sold can be refunded over the network, and the other way round.
    private static func bookPath(_ option: String?) throws(CommandFailure) -> String {
        let directory = try Installation.dataDirectory(option)
        var missing: [String] = []
        var place = directory[...]
        while !place.isEmpty, access(String(place), F_OK) != 0 {
            missing.insert(String(place), at: 0)
            place = place.lastIndex(of: "/").map { place[..<$0] } ?? ""
        }
        for path in missing where mkdir(path, 0o700) != 0 && errno != EEXIST {
            throw CommandFailure(.internalError, "The directory '\(directory)' cannot be made.")
        }
        return directory + "/simulated-host"
    }
}
