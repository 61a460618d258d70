extension USBSerialCore {
    /// The families of chips, as device specifications name them.
    public static let families = ["cdc-acm", "ch34x", "cp210x", "ftdi", "pl2303"]

    /// A chip with an echo and a loopback plug behind it. Options: `model=NAME` for `ftdi` and `pl2303`, and `leaves-after=BYTES` for the echo.
    public static func make(family: String, options: [String: String]) throws(CoreOptionError) -> USBSerialCore {
        var options = options
        var leavesAfter: Int?
        if let text = options.removeValue(forKey: "leaves-after") {
            guard let count = Int(text), count > 0 else { throw CoreOptionError("leaves-after", "a number from 1") }
            leavesAfter = count
        }
        return USBSerialCore(
            try circuit(family: family, options: options), firmware: EchoFirmware(leavesAfter: leavesAfter),
            hasLoopback: true)
    }

    private static func circuit(
        family: String, options: [String: String]
    ) throws(CoreOptionError) -> any ChipCircuit {
        let hasModels = family == "ftdi" || family == "pl2303"
        for key in options.keys.sorted() where key != "model" || !hasModels {
            throw CoreOptionError(
                "the family '\(family)' has no option '\(key)'; known: leaves-after" + (hasModels ? ", model" : ""))
        }
        switch family {
        case "cdc-acm": return CDCACMCircuit()
        case "ch34x": return CH34xCircuit()
        case "cp210x": return CP210xCircuit()
        case "ftdi":
            return FTDICircuit(try model(options["model"], of: FTDICircuit.Model.self) ?? .ft232r)
        case "pl2303":
            return PL2303Circuit(try model(options["model"], of: PL2303Circuit.Model.self) ?? .classic)
        default:
            throw CoreOptionError("there is no USB-serial chip '\(family)'")
        }
    }

    private static func model<Model: RawRepresentable<String> & CaseIterable>(
        _ name: String?, of type: Model.Type
    ) throws(CoreOptionError) -> Model? {
        guard let name else { return nil }
        guard let model = Model(rawValue: name) else {
            throw CoreOptionError("model", "one of " + Model.allCases.map(\.rawValue).joined(separator: ", "))
        }
        return model
    }
}
