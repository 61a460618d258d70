import Configuration
import Crypto
import Gateways
import ISO8583
import NetworkTransport
import Transport

/// The gateway that a configuration with `iso8583` means.
enum HostGateway {
    static func make(
        _ line: HostLine, terminal: TerminalIdentity, dataDirectory: String, clock: any MonotonicClock,
        lateAnswers: @escaping @Sendable (LateAnswer) -> Void
    ) throws(CommandFailure) -> ISO8583Gateway {
        let options = try options(line)
        do throws(GatewayError) {
            return try ISO8583Gateway(
                options, terminal: terminal, tracePath: dataDirectory + "/iso8583-trace", clock: clock,
                lateAnswers: lateAnswers)
        } catch {
            throw CommandFailure(.internalError, "The gateway cannot start: \(error)")
        }
    }

    private static func checkFiles(_ line: HostLine) throws(CommandFailure) {
        let files = [
            ("gateway.profile", line.profile.hasPrefix("/") ? line.profile : nil),
            ("gateway.tlsAuthorityFile", line.authorityFile), ("gateway.macKeyFile", line.macKeyFile),
            ("gateway.cardDataKeyFile", line.cardDataKeyFile),
        ]
        for (name, file) in files {
            if let file { try InputFile.requireRegular(file, for: name) }
        }
    }

    static func options(_ line: HostLine) throws(CommandFailure) -> ISO8583GatewayOptions {
        guard let endpoint = Endpoint(line.host) else {
            throw CommandFailure(named: "gateway.host: '\(line.host)' is not HOST:PORT.")
        }
        try checkFiles(line)
        var options = ISO8583GatewayOptions(endpoint: endpoint, profile: try HostProfile.load(line.profile))
        guard
            let framing = MessageFraming(
                prefix: MessageFraming.LengthPrefix(rawValue: line.framing) ?? .binary2, header: line.header,
                lengthCountsHeader: line.lengthCountsHeader, swapsAddresses: line.swapsAddresses)
        else { throw CommandFailure(named: "gateway.header: the header cannot be used.") }
        options.framing = framing
        options.tls = line.authorityFile.map { TLSClientSettings(authorityFile: $0, serverName: line.tlsName) }
        options.authorisation = ISO8583GatewayOptions.AuthorisationMessage(rawValue: line.saleMessage) ?? .financial
        options.reversal = ISO8583GatewayOptions.ReversalMessage(rawValue: line.reversalMessage) ?? .advice
        options.inquiry = ISO8583GatewayOptions.Inquiry(rawValue: line.inquiry) ?? .none
        options.settlement = ISO8583GatewayOptions.Settlement(rawValue: line.settlement) ?? .reconciliation
        options.acquirer = line.acquirer
        options.sendsAttempts = line.sendsAttempts
        options.signsOn = line.signsOn
        options.echoInterval = line.echoInterval == 0 ? nil : .seconds(line.echoInterval)
        options.connectTimeout = .seconds(line.connectTimeout)
        if let method = ISO8583GatewayOptions.MACMethod(rawValue: line.mac), let file = line.macKeyFile {
            options.mac = (method, try KeyFile.read(file, method.keyLengths))
        }
        if let file = line.cardDataKeyFile { options.cardDataKey = try KeyFile.read(file, 32...32) }
        return options
    }
}
