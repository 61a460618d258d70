import Configuration
import Crypto
import HTTPClient
import Ledger
import Notices
import Payments
import Webhooks

extension Installation {
    /// Nil when the configuration names nobody. The secret's file is read now.
    func makeWebhookSender() throws(CommandFailure) -> WebhookSender? {
        guard let receiver = configuration.webhook.receiver else { return nil }
        let secret: SecretBytes?
        do throws(ConfigurationProblem) {
            secret = try configuration.webhookSecret()
        } catch {
            throw ConfigurationFile.failure(ConfigurationError([error]), configurationPath)
        }
        if let file = receiver.authorityFile {
            try InputFile.requireRegular(file, for: "webhook.authorityFile")
        }
        // http goes to this machine only, where no proxy has any business.
        let client = HTTPClient(
            timeLimit: .seconds(10), largestBody: 65_536, authoritiesFile: receiver.authorityFile,
            usesProxies: !receiver.url.hasPrefix("http://"))
        let sender = secret.flatMap { secret in
            WebhookSender(
                url: receiver.url, keyID: receiver.keyID, secret: secret,
                form: WebhookForm(rawValue: receiver.form) ?? .kushki, client: client)
        }
        guard let sender else { throw CommandFailure(named: "webhook.keyId: it cannot be used.") }
        return sender
    }

    /// Nil when the configuration names nobody.
    func makeOutbox(_ ledger: Ledger) throws(CommandFailure) -> NoticeOutbox? {
        guard let receiver = configuration.webhook.receiver, let sender = try makeWebhookSender() else { return nil }
        return NoticeOutbox(
            ledger: ledger, sender: sender, since: receiver.since.unixSeconds * 1000,
            userID: Int64(receiver.userID), clock: clock, wallClock: SystemWallClock())
    }
}
