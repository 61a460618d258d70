extension USBSerialCore {
    /// The families of chips, as device specifications name them.
    public static let families = ["cdc-acm", "ch34x", "cp210x", "ftdi", "pl2303"]

    /// A chip with a reader behind it, or else an echo and a loopback plug. Options: `model=NAME` for `ftdi` and `pl2303`,
    /// `serial=TEXT`, `device=neo2|qpos|mpi` with the options of that reader, `speed=BAUD` as the only one that it
    /// understands, and `leaves-after=BYTES` for the echo.
    public static func make(family: String, options: [String: String]) throws(CoreOptionError) -> USBSerialCore {
        var options = options
        let serial = options.removeValue(forKey: "serial")
        var speed: Int?
        if let text = options.removeValue(forKey: "speed") {
            guard let baud = Int(text), baud > 0 else { throw CoreOptionError("speed", "a number from 1") }
            speed = baud
        }
        if let device = options.removeValue(forKey: "device") {
            let own = options.removeValue(forKey: "model").map { ["model": $0] } ?? [:]
            return USBSerialCore(
                try circuit(family: family, options: own), firmware: try reader(device, options), serial: serial,
                deviceSpeed: speed)
        }
        var leavesAfter: Int?
        if let text = options.removeValue(forKey: "leaves-after") {
            guard let count = Int(text), count > 0 else { throw CoreOptionError("leaves-after", "a number from 1") }
            leavesAfter = count
        }
        return USBSerialCore(
            try circuit(family: family, options: options), firmware: EchoFirmware(leavesAfter: leavesAfter),
            hasLoopback: true, serial: serial, deviceSpeed: speed)
    }

    private static func reader(
        _ name: String, _ options: [String: String]
    ) throws(CoreOptionError) -> any SerialFirmware {
        switch name {
        case "neo2": return try NEO2SerialCore.make(options: options)
        case "qpos": return try QPOSFirmware.make(options: options)
        case "mpi": return try MPIFirmware.make(options: options)
        default: throw CoreOptionError("device", "neo2, qpos or mpi")
        }
    }

    private static func circuit(
        family: String, options: [String: String]
    ) throws(CoreOptionError) -> any ChipCircuit {
        let hasModels = family == "ftdi" || family == "pl2303"
        for key in options.keys.sorted() where key != "model" || !hasModels {
            throw CoreOptionError(
                "the family '\(family)' has no option '\(key)'; known: device, leaves-after, serial, speed"
                    + (hasModels ? ", model" : ""))
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
