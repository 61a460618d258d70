import Readers
import Transport

/// `readerctl probe` for people.
enum ProbeText {
    static let nothingFound = "No card reader was found. Plug one in, or try '--simulate visa-credit'."

    static func document(_ reports: [ReaderReport]) -> String {
        guard !reports.isEmpty else { return nothingFound + "\n" }
        return reports.map(reader).joined(separator: "\n")
    }

    /// The same; a reader that has left, or that nobody has looked at yet, is told with its state and the reason.
    static func document(_ roster: ReaderRoster) -> String {
        guard !roster.entries.isEmpty else { return nothingFound + "\n" }
        return roster.entries.map { $0.report.map(reader) ?? state($0) }.joined(separator: "\n")
    }

    private static func state(_ entry: ReaderRoster.Entry) -> String {
        var lines = ["\(entry.reader.model): \(entry.state.name.rawValue)", "  id            \(entry.reader.id)"]
        if let reason = entry.state.reason {
            lines.append("  reason:  \(reason.message)")
            if let fix = reason.fix { lines.append("  fix:     \(fix)") }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func reader(_ report: ReaderReport) -> String {
        let reader = report.reader
        var lines = ["\(reader.model): \(report.state.rawValue), card \(report.card.rawValue)"]
        func add(_ label: String, _ value: String?) {
            if let value { lines.append("  " + label + String(repeating: " ", count: 14 - label.count) + value) }
        }
        add("id", reader.id)
        if let vendor = reader.vendorId, let product = reader.productId {
            add("USB", "\(hex4(vendor)):\(hex4(product))")
        }
        add("serial", reader.serial)
        add("port", reader.port)
        add("node", reader.node)
        add("driver", reader.family?.rawValue)
        add("line", reader.line.map(line))
        add("access", reader.line?.access)
        add("firmware", report.firmware)
        add("capabilities", report.capabilities.isEmpty ? nil : report.capabilities.joined(separator: ", "))
        add("held by", report.heldBy)
        for problem in report.problems {
            lines.append("  problem: \(problem.message)")
            lines.append("  fix:     \(problem.fix)")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// "FTDI FT232R at 115200 baud, /dev/ttyUSB0 of ftdi_sio, over USB at /dev/bus/usb/001/002".
    private static func line(_ line: SerialLineFacts) -> String {
        var parts = ["\(line.chip ?? "serial port") at \(line.baud.bitsPerSecond) baud"]
        switch (line.tty, line.kernelDriver) {
        case (let tty?, let driver?): parts.append("\(tty) of \(driver)")
        case (let tty?, nil): parts.append(tty)
        case (nil, let driver?): parts.append("kernel driver \(driver)")
        case (nil, nil): break
        }
        if let node = line.usbNode { parts.append("over USB at \(node)") }
        return parts.joined(separator: ", ")
    }
}
