import EMV
import JSONText
import Money

/// `terminal.applications`: the terminal's AID list (Book 1, 12.2) with what the kernel needs for each.
enum ApplicationList {
    /// What the binary format of tag 9F1B holds, in minor units.
    private static let maximumFloorLimit = Int64(UInt32.max)

    static func read(
        _ terminal: ObjectReader, _ currency: Currency, _ selection: RandomSelection
    ) -> [TerminalApplication] {
        var places: [[UInt8]: String] = [:]
        let read = terminal.objects("applications", count: 1...100) { object -> TerminalApplication? in
            guard let application = application(object, currency, selection) else { return nil }
            if let place = places[application.aid] {
                object.report("aid", "an AID that the list does not have is expected, that of \(place) was given")
            }
            places[application.aid] = object.path.text
            return application
        }
        return read?.compactMap { $0 }
            ?? TerminalApplication.common.map { standard in
                var application = standard
                application.use(selection)
                return application
            }
    }

    /// Nil without an AID. What is absent is as in the built-in entry of that AID, if there is one.
    private static func application(
        _ object: ObjectReader, _ currency: Currency, _ selection: RandomSelection
    ) -> TerminalApplication? {
        let aid = object.required("aid", .bytes(5...16))
        let builtIn = TerminalApplication.common.first { $0.aid == aid }
        // Without an AID, the other fields are looked at all the same, for their mistakes.
        var entry = builtIn ?? TerminalApplication(aid: aid ?? [], versionNumber: [])
        entry.allowsPartialSelection = object.value(
            "partialSelection", .flag, default: entry.allowsPartialSelection)
        let version = ValueRule<[UInt8]>.bytes(2)
        entry.versionNumber =
            (builtIn == nil && aid != nil ? object.required("version", version) : object.value("version", version))
            ?? entry.versionNumber
        entry.actionCodeDenial = object.value("tacDenial", .bytes(5), default: entry.actionCodeDenial)
        entry.actionCodeOnline = object.value("tacOnline", .bytes(5), default: entry.actionCodeOnline)
        entry.actionCodeDefault = object.value("tacDefault", .bytes(5), default: entry.actionCodeDefault)
        let floorLimit = object.value("floorLimit", .amount(currency, atMost: maximumFloorLimit))
        entry.floorLimit = floorLimit?.minorUnits ?? entry.floorLimit
        entry.use(RandomSelection(object, currency, default: selection))
        if entry.threshold > entry.floorLimit {
            object.report(
                "randomSelection", "a threshold of at most floorLimit is expected, more is in effect")
        }
        entry.defaultDDOL = object.value("defaultDDOL", .dataObjectList, default: entry.defaultDDOL)
        entry.defaultTDOL = object.value("defaultTDOL", .dataObjectList, default: entry.defaultTDOL)
        return aid == nil ? nil : entry
    }

    static func document(_ entry: TerminalApplication, _ currency: Currency) -> JSONValue {
        .object([
            .init("aid", .string(HexText.text(entry.aid))),
            .init("partialSelection", .bool(entry.allowsPartialSelection)),
            .init("version", .string(HexText.text(entry.versionNumber))),
            .init("tacDenial", .string(HexText.text(entry.actionCodeDenial))),
            .init("tacOnline", .string(HexText.text(entry.actionCodeOnline))),
            .init("tacDefault", .string(HexText.text(entry.actionCodeDefault))),
            .init("floorLimit", .string(AmountText.of(entry.floorLimit, currency))),
            RandomSelection(entry).member(currency),
            .init("defaultDDOL", .string(HexText.text(entry.defaultDDOL))),
            .init("defaultTDOL", .string(HexText.text(entry.defaultTDOL))),
        ])
    }
}

extension TerminalApplication {
    fileprivate mutating func use(_ selection: RandomSelection) {
        targetPercentage = selection.target
        maximumTargetPercentage = selection.maximumTarget
        threshold = selection.threshold
    }
}
