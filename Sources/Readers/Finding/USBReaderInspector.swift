import Discovery
import ReaderWire
import Transport

/// Says what a USB reader can do and what stands in its way, from descriptors, access rights and holders alone.
struct USBReaderInspector {
    let device: DiscoveredDevice
    let present: [DiscoveredDevice]

    func inspect() -> ReaderInspection {
        var inspection = ReaderInspection()
        if let part = NEO2Part(device) {
            inspection.firmware = part.release.map(Self.text)
            inspection.capabilities = Self.capabilities(part)
        } else if let part = CCIDPart(device) {
            inspection.firmware = Self.text(part.release)
            inspection.capabilities = Self.capabilities(part)
            if part.descriptor.exchangeLevel == .character {
                inspection.problems.append(Self.characterLevel)
            }
        } else {
            let model = ReaderCatalogue.model(vendorId: device.vendorId, productId: device.productId)
            inspection.problems.append(model?.family == .neo2 ? Self.noReports : Self.noClassDescriptor)
            if let problem = driverProblem() { inspection.problems.append(problem) }
        }
        if let problem = ReaderProblem.twin(of: device, among: present) { inspection.problems.append(problem) }
        inspection.denial = denial()
        return inspection
    }

    private static func text(_ release: UInt16) -> String {
        "\(release >> 8).\(hex2(UInt8(release & 0xFF)))"
    }

    private static func capabilities(_ part: NEO2Part) -> [String] {
        let known = NEO2Reader.capabilities(part.interfaces)
        return ReaderCapability.allCases.filter(known.contains).map(\.rawValue)
    }

    private static func capabilities(_ part: CCIDPart) -> [String] {
        var capabilities = ["contact", "level:\(part.descriptor.exchangeLevel.rawValue)"]
        if part.descriptor.protocols & 1 != 0 { capabilities.append("t=0") }
        if part.descriptor.protocols & 2 != 0 { capabilities.append("t=1") }
        if part.hasInterruptPipe { capabilities.append("slot-events") }
        if part.descriptor.pinSupport != 0 { capabilities.append("pin-pad") }
        return capabilities
    }

    private static let characterLevel = ReaderProblem(
        .unsupported, message: "The reader works at character level only.",
        fix: "Use a reader with TPDU or APDU exchange; see docs/supported-readers.md.")

    private static let noReports = ReaderProblem(
        .unsupported, message: "The reader has no HID interface.",
        fix: "Set the reader to USB HID mode with the vendor's tool.")

    private static let noClassDescriptor = ReaderProblem(
        .unsupported, message: "The device has no usable CCID class descriptor.",
        fix: "Use a reader of docs/supported-readers.md, or send its descriptors to the project.")

    private func denial() -> ReaderProblem? {
        guard let access = NodeAccess.of(device.node) else { return nil }
        let mode = String(access.mode & 0o7777, radix: 8)
        return ReaderProblem(
            .accessDenied,
            message: "Access to \(access.node) is denied: it belongs to \(access.owner):\(access.group), mode \(mode).",
            fix:
                "Run 'sudo groupadd --system --force \(ReaderCatalogue.group)', install udev/\(UdevRules.fileName) in /etc/udev/rules.d, run 'sudo udevadm control --reload && sudo "
                + "udevadm trigger', then 'sudo usermod -aG \(ReaderCatalogue.group) $USER' and log in again.")
    }

    /// Another program that has the node open, else a kernel driver on the interface.
    func holder() -> String? {
        let programs = NodeHolder.all(of: device.node).map { "\($0.name) (process \($0.processId))" }
        if !programs.isEmpty { return programs.joined(separator: ", ") }
        return device.interfaces.compactMap(\.driver).first { $0 != "usbfs" }.map { ReaderProblem.kernelDriver + $0 }
    }

    /// Of a device that cannot be driven over USB: a driver of the kernel may offer it as a serial port.
    private func driverProblem() -> ReaderProblem? {
        guard let driver = device.interfaces.compactMap(\.driver).first(where: { $0 != "usbfs" }) else { return nil }
        let port = (try? TTYMonitor.scan())?.first { $0.usb?.sysname == device.sysname }
        return ReaderProblem(
            .kernelDriver, message: "The kernel driver \(driver) has the device.",
            fix: port.map { "Name its serial port \($0.stableName ?? $0.node) in readers.ttys of the configuration." }
                ?? "Take the driver away: 'sudo modprobe -r \(driver)'.")
    }
}

extension ReaderProblem {
    /// Nil when no other device has the serial number.
    static func twin(of device: DiscoveredDevice, among present: [DiscoveredDevice]) -> ReaderProblem? {
        guard let serial = device.serial else { return nil }
        let twins = present.filter {
            $0.vendorId == device.vendorId && $0.productId == device.productId && $0.serial == serial
        }
        guard twins.count > 1 else { return nil }
        return ReaderProblem(
            .sameSerial, message: "Another reader has the same serial number \(serial).",
            fix: "Choose between them by port, and keep each in its port.")
    }
}
