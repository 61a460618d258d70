import FirmwareCores
import UMockdevBed

/// Steering lines: `PORT COMMAND...` or `device SPEC`.
enum Steering {
    /// Nil on success, else what was wrong.
    static func complaint(about line: String, on bus: MockBus) -> String? {
        let words = line.split(separator: " ", maxSplits: 1).map(String.init)
        guard words.count == 2 else { return "expected PORT COMMAND" }
        do {
            if words[0] == "device" {
                try bus.plug(DeviceSpec(parsing: words[1]))
            } else {
                try bus.steer(port: words[0], command: words[1])
            }
            return nil
        } catch {
            return "\(error)"
        }
    }

    /// The line that answers a steering line; nil for an empty line or a comment.
    static func answer(to line: String, on bus: MockBus) -> String? {
        let text = line.hasSuffix("\r") ? String(line.dropLast()) : line
        if text.isEmpty || text.hasPrefix("#") { return nil }
        return complaint(about: text, on: bus).map { "error: \($0)" } ?? "ok"
    }
}
