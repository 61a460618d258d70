extension String {
    /// Fit for a terminal, a printer and a page: control and format characters, which could steer them, are replaced.
    /// Texts of callers and of cards go through this before they are shown.
    ///
    /// - Parameter keepsLines: line feeds stay.
    func printable(keepsLines: Bool = false) -> String {
        guard utf8.contains(where: { $0 < 0x20 || $0 >= 0x7F }) else { return self }
        var clean = ""
        for scalar in unicodeScalars {
            let category = scalar.properties.generalCategory
            let steers =
                category == .control || category == .format || category == .lineSeparator
                || category == .paragraphSeparator
            clean.unicodeScalars.append(steers && !(keepsLines && scalar == "\n") ? "\u{FFFD}" : scalar)
        }
        return clean
    }
}
