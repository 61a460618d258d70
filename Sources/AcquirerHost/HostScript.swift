import FoundationEssentials
import Synchronization

/// The faults that a host is to show, each for as many messages as it is for. Shared by all its connections.
public final class HostScript: Sendable {
    private struct Entry {
        let rule: HostFaultRule
        var left: Int?
    }

    private let entries: Mutex<[Entry]>

    public init(_ rules: [HostFaultRule] = []) {
        entries = Mutex(rules.map { Entry(rule: $0, left: $0.times) })
    }

    /// Adds a rule before all others.
    public func add(_ rule: HostFaultRule) {
        entries.withLock { $0.insert(Entry(rule: rule, left: rule.times), at: 0) }
    }

    /// Forgets all rules.
    public func clear() {
        entries.withLock { $0 = [] }
    }

    /// The first rule that fits, used up by one; else what the table of amounts says.
    func rule(_ operation: HostOperation, amount: Int64?, attempt: String?) -> HostFaultRule? {
        let scripted: HostFaultRule? = entries.withLock { entries in
            let place = entries.firstIndex { entry in
                let rule = entry.rule
                let fitsOperation =
                    rule.operation.map { $0 == operation }
                    ?? (operation == .connection ? rule.fault == .closeBeforeRead : rule.fault != .closeBeforeRead)
                return entry.left != 0 && fitsOperation && (rule.amount == nil || rule.amount == amount)
                    && (rule.attempt == nil || rule.attempt == attempt)
            }
            guard let place else { return nil }
            if let left = entries[place].left { entries[place].left = left - 1 }
            return entries[place].rule
        }
        if let scripted { return scripted }
        guard operation == .authorisation || operation == .refund, let amount else { return nil }
        return HostFault.byAmount[amount].map { HostFaultRule($0) }
    }
}

/// Why a script file was refused.
public struct HostScriptError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The keys that lead to what is wrong, joined by dots.
    public let place: String

    public var description: String { "The script is wrong at '\(place)'." }
}

extension HostScript {
    /// Reads `{"faults": [{"fault": "lateAnswer", "on": "authorisation", "amount": 12300, "attempt": "…", "times": 1,
    /// "delayMilliseconds": 500, "approved": 5000}]}`. Every key but `fault` is optional; amounts are in minor units.
    public convenience init(json: [UInt8]) throws(HostScriptError) {
        let file: File
        do {
            file = try JSONDecoder().decode(File.self, from: Data(json))
        } catch let error as DecodingError {
            throw HostScriptError(place: Self.place(of: error))
        } catch {
            throw HostScriptError(place: "the whole file")
        }
        var rules: [HostFaultRule] = []
        for (index, entry) in file.faults.enumerated() {
            func check(_ key: String, _ isRight: Bool) throws(HostScriptError) {
                guard isRight else { throw HostScriptError(place: "faults.\(index).\(key)") }
            }
            guard let fault = HostFault(rawValue: entry.fault) else {
                throw HostScriptError(place: "faults.\(index).fault")
            }
            let operation = entry.on.flatMap(HostOperation.init)
            try check("on", (operation == nil) == (entry.on == nil))
            try check("amount", entry.amount.map { $0 >= 0 } ?? true)
            try check("times", entry.times.map { (0...1_000_000).contains($0) } ?? true)
            try check("delayMilliseconds", entry.delayMilliseconds.map { (0...600_000).contains($0) } ?? true)
            try check("approved", entry.approved.map { $0 > 0 } ?? true)
            var rule = HostFaultRule(fault, on: operation, amount: entry.amount, times: entry.times)
            rule.attempt = entry.attempt
            rule.approved = entry.approved
            if let delay = entry.delayMilliseconds { rule.delay = .milliseconds(delay) }
            rules.append(rule)
        }
        self.init(rules)
    }

    private struct File: Decodable {
        let faults: [Entry]

        struct Entry: Decodable {
            let fault: String
            let on: String?
            let amount: Int64?
            let attempt: String?
            let times: Int?
            let delayMilliseconds: Int?
            let approved: Int64?
        }
    }

    private static func place(of error: DecodingError) -> String {
        let (path, missing): ([any CodingKey], (any CodingKey)?) =
            switch error {
            case .keyNotFound(let key, let context): (context.codingPath, key)
            case .dataCorrupted(let context), .typeMismatch(_, let context), .valueNotFound(_, let context):
                (context.codingPath, nil)
            @unknown default: ([], nil)
            }
        let keys = path + (missing.map { [$0] } ?? [])
        return keys.isEmpty
            ? "the whole file" : keys.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
    }
}
