import Discovery
import Transport
import USBDescriptors

/// A serial line of a USB device that may be opened without the kernel, and why.
struct ChipCandidate: AskedLine {
    let reason: LineReason
    let line: USBLine
    let family: ReaderFamily?
    let speed: BaudRate
    /// A driver of the kernel may be taken away.
    let isDirect: Bool
    let name: USBLineName

    var id: String { name.description }
    var node: String { line.device.node }

    /// A line that has a tty is left to it, unless the configuration wants it directly.
    static func all(
        configured: [ConfiguredUSBLine], lines: [USBLine], devices: [DiscoveredDevice], isIntrusive: Bool
    ) -> [ChipCandidate] {
        lines.compactMap { line in
            let name = line.name(among: devices)
            if let entry = configured.entry(of: line) {
                guard line.tty == nil || entry.isDirect else { return nil }
                return ChipCandidate(
                    reason: .configured, line: line, family: entry.family, speed: entry.baud, isDirect: entry.isDirect,
                    name: name)
            }
            guard line.tty == nil else { return nil }
            let family = ReaderCatalogue.ttyFamily(
                vendorId: line.device.vendorId, productId: line.device.productId, manufacturer: line.device.manufacturer
            )
            guard family != nil || isIntrusive else { return nil }
            return ChipCandidate(
                reason: family == nil ? .intrusive : .catalogue, line: line, family: family,
                speed: TTYCandidate.usualSpeed, isDirect: false, name: name)
        }
    }

    func found(as family: ReaderFamily?) -> FoundReader {
        let device = line.device
        let own = [device.manufacturer, device.product].compactMap { $0 }.joined(separator: " ")
        let name = family.map { "\($0.rawValue.uppercased()) reader" } ?? "serial port"
        return FoundReader(
            id: id, family: family, model: own.isEmpty ? name : own, vendorId: device.vendorId,
            productId: device.productId, serial: device.serial, link: .usb, port: device.portPath, node: node,
            line: SerialLineFacts(line, tty: line.tty, opened: node, baud: speed))
    }

    func entry(_ finding: TTYSpeedSearch.Finding) -> String {
        ConfiguredUSBLine(name, family: finding.family, baud: finding.speed, isDirect: isDirect).entry
    }
}

extension [ConfiguredUSBLine] {
    /// The first that means this line.
    func entry(of line: USBLine) -> ConfiguredUSBLine? { first { line.isNamed(by: $0.name) } }
}

extension ConfiguredUSBLine {
    /// As it stands in a configuration file.
    var entry: String {
        let direct = isDirect ? #", "direct": true"# : ""
        return #""readers": {"usbSerial": [{"device": "\#(name)", "family": "\#(family.rawValue)", "#
            + #""baud": \#(baud.bitsPerSecond)\#(direct)}]}"#
    }
}
