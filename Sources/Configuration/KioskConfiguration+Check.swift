import Money

/// What a check of a configuration found.
public struct ConfigurationFinding: Sendable, Hashable {
    public enum Severity: String, Sendable {
        /// It cannot be used like this.
        case wrong
        /// A kiosk that takes real payments needs it.
        case missing
        /// Worth knowing; nothing needs to be done.
        case note
    }

    public let severity: Severity
    public let problem: ConfigurationProblem

    public init(_ severity: Severity, _ path: String, _ message: String) {
        self.init(severity, ConfigurationProblem(path: path, message: message))
    }

    public init(_ severity: Severity, _ problem: ConfigurationProblem) {
        self.severity = severity
        self.problem = problem
    }
}

extension KioskConfiguration {
    /// What a kiosk must be told before it can take payments for somebody, and what it is.
    private static let needed = [
        ("merchantName", "the merchant's name on receipts"),
        ("merchantId", "the merchant's number with the acquirer, tag 9F16"),
        ("merchantCategoryCode", "the merchant category code, tag 9F15"),
        ("terminalId", "this terminal's number with the acquirer, tag 9F1C"),
        ("userToken.userTokenFile", "the file with the user token of app-to-app requests"),
        ("replySchemes", "to which schemes and hosts app-to-app requests may be answered"),
    ]

    /// Everything that is wrong with a file, the files that it names included, and what it lacks.
    ///
    /// - Parameter now: Unix seconds, for what expires.
    public static func findings(_ path: String?, now: Int64) -> [ConfigurationFinding] {
        do throws(ConfigurationError) {
            return try load(path).findings(now: now)
        } catch {
            let more = ConfigurationProblem(path: "", message: "and \(error.furtherProblems) more")
            return (error.problems + (error.furtherProblems > 0 ? [more] : [])).map { ConfigurationFinding(.wrong, $0) }
        }
    }

    /// What the configuration lacks, and what is wrong with the files that it names.
    public func findings(now: Int64) -> [ConfigurationFinding] {
        var findings = Self.needed.filter { absentKeys.contains($0.0) }.map { path, what in
            ConfigurationFinding(.missing, path, "missing: \(what)")
        }
        findings += (problemsInMexico + problemsOffline).map { ConfigurationFinding(.wrong, $0) }
        do throws(ConfigurationProblem) {
            _ = try certificationAuthorityKeys()
        } catch {
            findings.append(ConfigurationFinding(.wrong, error))
        }
        do throws(ConfigurationProblem) {
            _ = try userTokenSecret()
        } catch {
            findings.append(ConfigurationFinding(.wrong, error))
        }
        do throws(ConfigurationProblem) {
            _ = try webhookSecret()
        } catch {
            findings.append(ConfigurationFinding(.wrong, error))
        }
        do throws(ConfigurationProblem) {
            _ = try offlineKey()
        } catch {
            findings.append(ConfigurationFinding(.wrong, error))
        }
        if let image = banner.imageFile {
            do throws(ReferencedFile.Fault) {
                try ReferencedFile.checkReadable(image)
            } catch {
                findings.append(ConfigurationFinding(.wrong, "banner.imageFile", error.message))
            }
        }
        if let expires = userToken.expires, expires.unixSeconds <= now {
            findings.append(ConfigurationFinding(.wrong, "userToken.expires", "the token is no longer valid"))
        }
        if case .simulator = gateway.kind {
            findings.append(ConfigurationFinding(.note, "gateway", "the simulator is in use: no money moves"))
        }
        if terminal.keys == .test {
            findings.append(
                ConfigurationFinding(
                    .note, "terminal.certificationAuthorityKeys", "the test keys are in use: real cards fail with them")
            )
        }
        return findings
    }

    /// App-to-app payments are for Mexico and its peso: what says otherwise.
    public var problemsInMexico: [ConfigurationProblem] {
        var problems: [ConfigurationProblem] = []
        if terminal.country != 484 {
            problems.append(
                ConfigurationProblem(
                    path: "terminal.country",
                    message: "payments are taken in Mexico only: \"484\" is expected, "
                        + "\"\(TerminalSection.digits(terminal.country))\" was given"))
        }
        if terminal.currency != .mxn {
            problems.append(
                ConfigurationProblem(
                    path: "terminal.currency",
                    message: "payments are taken in Mexican pesos only: \"484\" (MXN) is expected, "
                        + "\"\(TerminalSection.digits(terminal.currency.numeric))\" "
                        + "(\(terminal.currency.code)) was given"
                ))
        }
        return problems
    }
}
