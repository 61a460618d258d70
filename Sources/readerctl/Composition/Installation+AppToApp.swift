import AppToApp
import Configuration
import Crypto

extension Installation {
    /// What other apps may ask for, by the configuration. The token's file is read now.
    func appToApp() throws(CommandFailure) -> AppToAppSettings {
        var settings = try appToAppWithoutToken()
        do throws(ConfigurationProblem) {
            settings.userTokens = [try configuration.userTokenSecret().flatMap(UserToken.init)].compactMap { $0 }
        } catch {
            throw ConfigurationFile.failure(ConfigurationError([error]), configurationPath)
        }
        return settings
    }

    /// With these every request is refused, and its caller is answered.
    func appToAppWithoutToken() throws(CommandFailure) -> AppToAppSettings {
        var settings = AppToAppSettings()
        let section = configuration.appToApp
        settings.expires = configuration.userToken.expires.map { $0.unixSeconds * 1000 }
        do throws(ReplyAllowList.InvalidEntry) {
            settings.replies = try ReplyAllowList(section.replySchemes)
        } catch {
            throw CommandFailure(named: "'\(error.entry)' in 'replySchemes' cannot be used: \(error.reason).")
        }
        if let level = CompatibilityLevel(section.compatibilityVersion) { settings.compatibility = level }
        if !section.replyHandler.isEmpty { settings.handler = section.replyHandler }
        settings.webMethod = section.replyMethod == .post ? .post : .get
        return settings
    }
}
