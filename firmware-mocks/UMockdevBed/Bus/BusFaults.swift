/// What the bus does wrong for one device, on command. These are claims about the kernel (permissions, other owners of the
/// interface, exhaustion), not behaviours of the firmware.
struct BusFaults: Sendable, Hashable {
    /// An operation that can be made to fail, by the name that the steering command uses.
    enum Operation: String, Sendable, CaseIterable {
        case claim, release, submit, reset, capabilities, detach, urb
        case clearHalt = "clear-halt"
        case setInterface = "set-interface"
        case setConfiguration = "set-configuration"
    }

    struct Injected: Sendable, Hashable {
        var errorNumber: Int32
        /// Times left; nil: until taken back.
        var remaining: Int?
    }

    static let allCapabilities: UInt32 = 0x1F

    private var injected: [Operation: Injected] = [:]
    /// What GET_CAPABILITIES answers. Without 0x08 (scatter-gather) libusb splits bulk transfers at 16 KiB.
    private(set) var capabilities = allCapabilities
    /// From the next plug on the node may not be opened for so long.
    private(set) var accessDenied: Duration = .zero
    /// From the next plug on (and at once, when nobody has claimed the interface) this kernel driver holds the interface.
    private(set) var driver: String?
    /// Every transfer completes so much later.
    private(set) var delay: Duration = .zero

    /// From the next plug on udev's rules have set these properties, for example READERKIT_IGNORE=1.
    private(set) var udevProperties: [String: String] = [:]

    /// From the next plug on the device's first interface is a tty.
    private(set) var tty: TTYRecord?

    static let commands = ["errno", "access", "driver", "capabilities", "delay", "property", "tty"]

    /// Takes the errno that this operation fails with now, if any.
    mutating func take(_ operation: Operation) -> Int32? {
        guard let fault = injected[operation] else { return nil }
        if let remaining = fault.remaining {
            injected[operation] =
                remaining > 1 ? Injected(errorNumber: fault.errorNumber, remaining: remaining - 1) : nil
        }
        return fault.errorNumber
    }

    /// Carries out a steering command whose first word is in `commands`. Answers nil, or what was wrong with it.
    mutating func steer(_ words: [String]) -> String? {
        switch (words.first, words.count) {
        case ("errno", 3), ("errno", 4):
            return steerErrno(words)
        case ("access", 2) where words[1] == "granted":
            accessDenied = .zero
        case ("access", 3) where words[1] == "denied":
            guard let limit = Self.milliseconds(words[2]) else { return Self.usage }
            accessDenied = limit
        case ("driver", 2):
            driver = words[1] == "none" ? nil : words[1]
        case ("capabilities", 2):
            guard words[1].hasPrefix("0x"), let value = UInt32(words[1].dropFirst(2), radix: 16) else {
                return Self.usage
            }
            capabilities = value
        case ("delay", 2):
            guard let value = Self.milliseconds(words[1]) else { return Self.usage }
            delay = value
        case ("property", 2):
            return steerProperty(words[1])
        case ("tty", 2):
            let record = TTYRecord(words[1])
            guard words[1] == "none" || record != nil else { return Self.usage }
            tty = record
        default:
            return Self.usage
        }
        return nil
    }

    private mutating func steerProperty(_ text: String) -> String? {
        if text == "none" {
            udevProperties = [:]
            return nil
        }
        let isNamePart: (UInt8) -> Bool = { (0x41...0x5A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5F }
        guard let equals = text.firstIndex(of: "="), equals != text.startIndex,
            text[..<equals].utf8.allSatisfy(isNamePart), text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return Self.usage }
        udevProperties[String(text[..<equals])] = String(text[text.index(after: equals)...])
        return nil
    }

    private mutating func steerErrno(_ words: [String]) -> String? {
        guard let operation = Operation(rawValue: words[1]) else {
            return "no operation '\(words[1])'; known: " + Operation.allCases.map(\.rawValue).joined(separator: ", ")
        }
        if words[2] == "none" {
            injected[operation] = nil
            return words.count == 3 ? nil : Self.usage
        }
        guard let number = ErrorNumber(named: words[2]) else { return "no errno named '\(words[2])' is known here" }
        var remaining: Int?
        if words.count == 4 {
            guard let count = Int(words[3]), count > 0 else { return Self.usage }
            remaining = count
        } else if operation == .urb {
            remaining = 1
        }
        injected[operation] = Injected(errorNumber: number.code, remaining: remaining)
        return nil
    }

    private static func milliseconds(_ text: String) -> Duration? {
        guard let value = Int(text), (0...3_600_000).contains(value) else { return nil }
        return .milliseconds(value)
    }

    private static let usage =
        "expected: errno OPERATION NAME|none [COUNT], access denied MS, access granted, driver NAME|none, "
        + "capabilities 0xMASK, delay MS, property NAME=VALUE|none, tty NAME@TARGET@DRIVER|none"
}
