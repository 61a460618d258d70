import Configuration
import Crypto
import Payments

extension Installation {
    /// What may be approved without the host, and the key of what waits for it, which is read now. Nil without a key.
    func makeOfflineSettings() throws(CommandFailure) -> OfflineSettings? {
        let key: SecretBytes?
        do throws(ConfigurationProblem) {
            key = try configuration.offlineKey()
        } catch {
            throw ConfigurationFile.failure(ConfigurationError([error]), configurationPath)
        }
        guard let key else { return nil }
        let section = configuration.offline
        let approvals = OfflineSettings.Approvals(
            perSale: section.perSale, total: section.total, count: section.count,
            longestWait: .seconds(section.longestWait * 3_600), asksHostFirst: section.asksHostFirst)
        return OfflineSettings(key: key, approvals: section.isEnabled ? approvals : nil)
    }
}
