import Glibc
public import Transport

/// What stands in the way of a serial port, for people: what it is, and what to do about it. The `underlying` text of an
/// error of `SerialContext.open` is one of these.
public enum SerialTrouble: Sendable, Hashable {
    /// Other programs have it open. Empty: it is held, but by nobody that shows to this user.
    case held(node: String, by: [NodeHolder])
    /// This program has it open already.
    case heldByUs(node: String)
    /// The file system does not let this user open it.
    case denied(NodeAccess)
    /// It is there, and is no tty.
    case noTerminal(node: String)

    /// One sentence without an end mark.
    public var message: String {
        switch self {
        case .held(let node, []):
            "\(node) is held by a process that does not show to this user"
        case .held(let node, let holders):
            "\(node) is held by " + holders.map { "\($0.name) (process \($0.processId))" }.joined(separator: ", ")
        case .heldByUs(let node):
            "\(node) is open in this program already"
        case .denied(let access):
            "\(access.node) may not be opened: owner \(access.owner), group \(access.group), mode "
                + String(access.mode, radix: 8)
        case .noTerminal(let node):
            "\(node) is no serial port"
        }
    }

    /// One sentence without an end mark.
    public var fix: String {
        switch self {
        case .held(let node, []):
            "find the process with `sudo fuser -v \(node)` and end it"
        case .held(_, let holders) where holders.contains(where: \.isModemManager):
            "install udev/60-readerkit.rules, which keeps ModemManager away from readers (ID_MM_DEVICE_IGNORE=1), and "
                + "plug the device in again; or `sudo systemctl disable --now ModemManager`"
        case .held:
            "end it and try again"
        case .heldByUs:
            "close it first"
        case .denied(let access) where access.group != "root":
            "`sudo usermod -aG \(access.group) USER` and log in again, or install udev/60-readerkit.rules"
        case .denied:
            "install udev/60-readerkit.rules, which gives a group access, and plug the device in again"
        case .noTerminal:
            "name the tty, for example /dev/ttyUSB0 or a link in /dev/serial/by-id"
        }
    }

    /// Who holds `node` now. Blocks for as long as reading /proc takes.
    public static func holding(_ node: String) -> SerialTrouble {
        let holders = NodeHolder.all(of: node, includingSelf: true)
        let others = holders.filter { $0.processId != getpid() }
        return others.isEmpty && !holders.isEmpty ? .heldByUs(node: node) : .held(node: node, by: others)
    }

    func transportError(_ code: TransportError.Code) -> TransportError {
        TransportError(code, during: "open", underlying: "\(message): \(fix)")
    }
}

extension NodeHolder {
    /// It opens every new tty and asks it whether it is a modem.
    public var isModemManager: Bool { name == "ModemManager" }
}
