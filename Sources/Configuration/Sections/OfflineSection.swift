import EMV
import JSONText
public import Money

/// Sales that are approved without the host and forwarded later: off unless the file says otherwise.
public struct OfflineSection: ConfigurationSection, Hashable {
    public let isEnabled: Bool
    /// The host is asked first; otherwise cards approve by themselves below the floor limit.
    public let asksHostFirst: Bool
    /// The most for one sale, tip included.
    public let perSale: Amount
    /// The most for all that the host has not confirmed.
    public let total: Amount
    /// The most that the host has not confirmed; 0 to 1000.
    public let count: Int
    /// Hours, 1 to 720: while one waits for longer, no more are approved.
    public let longestWait: Int
    /// Of 64 hex digits, from / on; what waits is encrypted with it.
    public let keyFile: String?

    init(_ file: ObjectReader) {
        self = file.object("offline") { OfflineSection(object: $0) }
    }

    private init(object: ObjectReader) {
        isEnabled = object.value("enabled", .flag, default: false)
        asksHostFirst = object.value("askHostFirst", .flag, default: true)
        perSale = object.value("perSale", .amount(.mxn), default: .zero(.mxn))
        total = object.value("total", .amount(.mxn), default: .zero(.mxn))
        count = object.value("count", .wholeNumber(0...1_000), default: 0)
        longestWait = object.value("waitHours", .wholeNumber(1...720, of: "hours"), default: 24)
        keyFile = object.value("keyFile", .absolutePath)
        guard isEnabled else { return }
        if perSale.isZero {
            object.report("perSale", "more than \"0.00\" is expected of a kiosk that approves offline")
        }
        if total < perSale { object.report("total", "at least perSale is expected, less was given") }
        if count == 0 { object.report("count", "1 to 1000 is expected of a kiosk that approves offline") }
        if keyFile == nil, object.record.absentKeys.contains("offline.keyFile") {
            object.report("keyFile", "\(ValueRule.absolutePath.expectation), nothing was given")
        }
    }

    var members: [JSONValue.Member] {
        var fields: [JSONValue.Member] = [
            .init("enabled", .bool(isEnabled)), .init("askHostFirst", .bool(asksHostFirst)),
            .init("perSale", .string(perSale.description)), .init("total", .string(total.description)),
            .init("count", .integer(Int64(count))), .init("waitHours", .integer(Int64(longestWait))),
        ]
        if let keyFile { fields.append(.init("keyFile", .string(keyFile))) }
        return [.init("offline", .object(fields))]
    }
}

extension KioskConfiguration {
    public var offline: OfflineSection { self[OfflineSection.self] }

    /// A terminal that always goes online never asks a card for an approval of its own.
    public var problemsOffline: [ConfigurationProblem] {
        guard offline.isEnabled, terminal.type.connection != .offlineWithOnline else { return [] }
        return [
            ConfigurationProblem(
                path: "terminal.type",
                message: "\"25\" (or \"22\") is expected of a kiosk that approves offline (offline.enabled), "
                    + "\"\(HexText.text([terminal.type.code]))\" was given")
        ]
    }
}
