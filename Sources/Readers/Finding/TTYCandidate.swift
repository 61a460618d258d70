import Discovery
import Transport
import USBDescriptors

/// A serial port that may be opened, and why.
struct TTYCandidate: AskedLine {
    /// The speed of a reader that nobody has told otherwise.
    static let usualSpeed = BaudRate.b115200

    let reason: LineReason
    /// Without links in its name.
    let node: String
    /// The name for a configuration file.
    let stableName: String
    let port: DiscoveredTTY?
    /// Nil: to be found out by asking.
    let family: ReaderFamily?
    let speed: BaudRate
    let id: String
    /// The chip behind the port, when it is known.
    var line: USBLine?
    /// How the configuration names it, when not by the port's path.
    var deviceName: USBLineName?

    /// Each port once: as the configuration says, else as the catalogue says, else only with `isIntrusive`. A port of a
    /// chip that the configuration wants directly is none.
    static func all(
        configured: [ConfiguredTTY], named: [ConfiguredUSBLine] = [], present: [DiscoveredTTY],
        lines: [USBLine] = [], ignoredDevices: Set<String>, isIntrusive: Bool
    ) -> [TTYCandidate] {
        var candidates: [TTYCandidate] = []
        for tty in configured {
            guard let node = NodeName.resolved(tty.path), !candidates.contains(where: { $0.node == node }) else {
                continue
            }
            let port = present.first { $0.node == node }
            let line = lines.first { $0.tty?.node == node }
            guard line.flatMap(named.entry(of:))?.isDirect != true else { continue }
            candidates.append(
                TTYCandidate(
                    reason: .configured, node: node, stableName: tty.path, port: port, family: tty.family,
                    speed: tty.baud, id: port.flatMap { id($0, among: present) } ?? "tty:\(tty.path)", line: line))
        }
        for port in present where !candidates.contains(where: { $0.node == port.node }) {
            guard let usb = port.usb, !port.isIgnored, !ignoredDevices.contains(usb.sysname) else { continue }
            let line = lines.first { $0.tty?.node == port.node }
            let entry = line.flatMap(named.entry(of:))
            let family =
                entry?.family
                ?? ReaderCatalogue.ttyFamily(
                    vendorId: usb.vendorId, productId: usb.productId, manufacturer: usb.manufacturer)
            guard entry?.isDirect != true, family != nil || isIntrusive else { continue }
            let reason: LineReason = entry != nil ? .configured : family == nil ? .intrusive : .catalogue
            candidates.append(
                TTYCandidate(
                    reason: reason, node: port.node, stableName: port.stableName ?? port.node, port: port,
                    family: family, speed: entry?.baud ?? usualSpeed,
                    id: id(port, among: present) ?? "tty:\(port.stableName ?? port.node)", line: line,
                    deviceName: entry?.name))
        }
        return candidates
    }

    /// By serial number, with the interface where a device has several ports; nil without a serial number of its own.
    private static func id(_ port: DiscoveredTTY, among present: [DiscoveredTTY]) -> String? {
        guard let usb = port.usb, let serial = usb.serial, serial.contains(where: { $0 != "0" && $0 != " " }) else {
            return nil
        }
        let same = present.compactMap(\.usb).filter {
            $0.vendorId == usb.vendorId && $0.productId == usb.productId && $0.serial == serial
        }
        guard same.allSatisfy({ $0.sysname == usb.sysname }) else { return nil }
        // As over USB but for the beginning.
        let identity = DeviceIdentity.serial(vendorId: usb.vendorId, productId: usb.productId, serial: serial)
        let id = "tty:" + identity.description.dropFirst("usb:".count)
        return same.count > 1 ? id + ":\(usb.interface ?? 0)" : id
    }

    func found(as family: ReaderFamily?) -> FoundReader {
        let own = [port?.usb?.manufacturer, port?.usb?.product].compactMap { $0 }.joined(separator: " ")
        let name = family.map { "\($0.rawValue.uppercased()) reader" } ?? "serial port"
        return FoundReader(
            id: id, family: family, model: own.isEmpty ? name : own, vendorId: port?.usb?.vendorId,
            productId: port?.usb?.productId, serial: port?.usb?.serial, link: .tty,
            port: (port?.usb?.sysname).map { "usb:" + $0 }, node: node,
            line: SerialLineFacts(line, tty: port, opened: node, baud: speed))
    }

    func entry(_ finding: TTYSpeedSearch.Finding) -> String {
        if let deviceName {
            return ConfiguredUSBLine(deviceName, family: finding.family, baud: finding.speed).entry
        }
        return #""readers": {"ttys": [{"path": "\#(stableName)", "family": "\#(finding.family.rawValue)", "#
            + #""baud": \#(finding.speed.bitsPerSecond)}]}"#
    }
}

extension ReaderCatalogue {
    /// The family of the reader behind a serial port, by the ids of its USB device; nil when these are no reason to
    /// write to it.
    static func ttyFamily(vendorId: UInt16, productId: UInt16, manufacturer: String?) -> ReaderFamily? {
        if vendorId == neo2Vendor { return otherProtocolProducts.contains(productId) ? nil : .neo2 }
        return serialHints.first {
            $0.isReasonToAsk && $0.matches(vendorId: vendorId, productId: productId, manufacturer: manufacturer)
        }?.family
    }
}
