import JSONText
import Readers
import Transport

/// The JSON of `readerctl probe`. Key order is part of the contract.
enum ProbeJSON {
    static func document(_ reports: [ReaderReport]) -> JSONValue {
        .object(["readers": .array(reports.map(reader))])
    }

    /// The same with how each reader is, those that have left among them; without `states` until there was a reader.
    static func document(_ roster: ReaderRoster) -> JSONValue {
        let readers = JSONValue.array(roster.entries.compactMap(\.report).map(reader))
        guard !roster.entries.isEmpty else { return .object(["readers": readers]) }
        return .object(["readers": readers, "states": .array(roster.entries.map(state))])
    }

    private static func state(_ entry: ReaderRoster.Entry) -> JSONValue {
        let reason = entry.state.reason
        return .object([
            "id": .string(entry.reader.id),
            "state": .string(entry.state.name.rawValue),
            "reason": .optional(reason?.code),
            "message": .optional(reason?.message),
            "fix": .optional(reason?.fix),
        ])
    }

    private static func reader(_ report: ReaderReport) -> JSONValue {
        let reader = report.reader
        let document: JSONValue = .object([
            "id": .string(reader.id),
            "driver": .optional(reader.family?.rawValue),
            "model": .string(reader.model),
            "vendorId": .optional(reader.vendorId.map(hex4)),
            "productId": .optional(reader.productId.map(hex4)),
            "serial": .optional(reader.serial),
            "transport": .string(reader.link.rawValue),
            "port": .optional(reader.port),
            "node": .optional(reader.node),
            "state": .string(report.state.rawValue),
            "card": .string(report.card.rawValue),
            "firmware": .optional(report.firmware),
            "capabilities": .array(report.capabilities.map(JSONValue.string)),
            "heldBy": .optional(report.heldBy),
            "problems": .array(
                report.problems.map { problem in
                    .object([
                        "code": .string(problem.code.rawValue), "message": .string(problem.message),
                        "fix": .string(problem.fix),
                    ])
                }),
        ])
        // Of readers at serial lines only.
        guard let line = reader.line, case .object(let members) = document else { return document }
        return .object(members + [.init("line", self.line(line))])
    }

    private static func line(_ line: SerialLineFacts) -> JSONValue {
        .object([
            "chip": .optional(line.chip),
            "kernelDriver": .optional(line.kernelDriver),
            "tty": .optional(line.tty),
            "usb": .optional(line.usbNode),
            "baud": .integer(Int64(line.baud.bitsPerSecond)),
            "access": .optional(line.access),
        ])
    }
}
