import Configuration
import Crypto
import Payments

extension Installation {
    /// What may be approved without the host, and the key of what waits for it, which is read now. Nil without a key. One
    /// that cannot be read is told, and stands in nobody's way: all that needs it is an approval without the host, and the
    /// sending of one.
    func makeOfflineSettings(_ console: Console) -> OfflineSettings? {
        let key: SecretBytes?
        do throws(ConfigurationProblem) {
            key = try configuration.offlineKey()
        } catch {
            console.note(
                "Nothing is approved offline, and what is stored stays stored, until its key can be read. \(error)."
                    .printable())
            return nil
        }
        guard let key else { return nil }
        let section = configuration.offline
        let approvals = OfflineSettings.Approvals(
            perSale: section.perSale, total: section.total, count: section.count,
            longestWait: .seconds(section.longestWait * 3_600), asksHostFirst: section.asksHostFirst)
        return OfflineSettings(key: key, approvals: section.isEnabled ? approvals : nil)
    }
}
