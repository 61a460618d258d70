import Configuration

/// The configuration of this run, and its mistakes as a command tells them.
enum ConfigurationFile {
    static func load(_ path: String?) throws(CommandFailure) -> KioskConfiguration {
        do throws(ConfigurationError) {
            return try KioskConfiguration.load(path)
        } catch {
            throw failure(error, KioskConfiguration.place(path))
        }
    }

    /// - Parameter path: nil when everything has its default.
    static func failure(_ error: ConfigurationError, _ path: String?) -> CommandFailure {
        let name = path.map { "The configuration file '\($0)'" } ?? "The built-in configuration"
        guard error.lines.count > 1 else { return CommandFailure(named: "\(name) cannot be used: \(error).") }
        return CommandFailure(named: "\(name) cannot be used:", details: error.lines)
    }
}
