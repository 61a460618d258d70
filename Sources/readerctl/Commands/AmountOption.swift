import Money

/// An amount on the command line, with a mistake told by the option's name.
enum AmountOption {
    /// - Parameter name: what the value is, as it stands in a sentence: `amount`, `tip`.
    static func parse(_ text: String, _ name: String, _ currency: Currency) throws(CommandFailure) -> Amount {
        do throws(AmountFormatError) {
            return try Amount(parsing: text, currency: currency)
        } catch {
            throw CommandFailure(.usage, error.sentence(about: name))
        }
    }
}
