import Configuration
import Gateways
import ISO8583
import NetworkTransport

/// The files of a configuration whose content only the modules above `Configuration` understand: each is opened and
/// read as a payment would read it.
enum NamedFiles {
    static func findings(_ configuration: KioskConfiguration) -> [ConfigurationFinding] {
        var findings: [ConfigurationFinding] = []
        func check(_ path: String, _ file: String?, _ open: (String) throws(CommandFailure) -> Void) {
            guard let file else { return }
            guard !InputFile.isNoRegularFile(file) else {
                let finding = "a regular file is expected, another was given"
                return findings.append(ConfigurationFinding(.wrong, path, finding))
            }
            do throws(CommandFailure) {
                try open(file)
            } catch {
                // Values are not repeated: a key may stand where its file's path belongs.
                findings.append(ConfigurationFinding(.wrong, path, error.sentence.replacing(" '\(file)'", with: "")))
            }
        }
        if case .iso8583(let line) = configuration.gateway.kind {
            check("gateway.profile", line.profile) { (file) throws(CommandFailure) in _ = try HostProfile.load(file) }
            check("gateway.tlsAuthorityFile", line.authorityFile, checkAuthorities)
            if let method = ISO8583GatewayOptions.MACMethod(rawValue: line.mac) {
                check("gateway.macKeyFile", line.macKeyFile) { (file) throws(CommandFailure) in
                    _ = try KeyFile.read(file, method.keyLengths)
                }
            }
            check("gateway.cardDataKeyFile", line.cardDataKeyFile) { (file) throws(CommandFailure) in
                _ = try KeyFile.read(file, 32...32)
            }
        }
        check("webhook.authorityFile", configuration.webhook.receiver?.authorityFile, checkAuthorities)
        return findings
    }

    private static func checkAuthorities(_ file: String) throws(CommandFailure) {
        do throws(NetworkError) {
            try TLSClientSettings(authorityFile: file).check()
        } catch {
            throw CommandFailure(named: "The file '\(file)' cannot be read, or holds no certificate.")
        }
    }
}
