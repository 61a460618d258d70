/// A NEO2 reader on USB HID: interrupt pipes both ways, messages in reports of 64 bytes with ids 01 to 04.
public final class NEO2HIDCore: FirmwareCore {
    static let reportLength = 64
    public static let interruptIn: UInt8 = 0x81
    public static let interruptOut: UInt8 = 0x01

    public let firmware: NEO2Firmware
    public let descriptors: DeviceDescriptors
    /// A command whose reports have not all come.
    private var assembly: [UInt8] = []

    /// Options: `card`, `entry` (inserted, tapped, swiped), `sred` (clear, tdes, masked), `service-code`, `chatty`,
    /// `contact` (yes, no), `firmware`, `serial`, `vid`, `pid`.
    public static func make(options words: [String: String]) throws(CoreOptionError) -> NEO2HIDCore {
        NEO2HIDCore(try NEO2Firmware.make(words, link: .hid))
    }

    private init(_ firmware: NEO2Firmware) {
        self.firmware = firmware
        descriptors = NEO2Descriptors.make(firmware.options)
    }

    public func out(_ bytes: [UInt8], to endpoint: UInt8, at now: Duration) -> [FirmwareEffect] {
        guard endpoint == Self.interruptOut, let id = bytes.first, (1...4).contains(id) else { return [] }
        if id <= 2 { assembly = [] }
        assembly += bytes.dropFirst()
        guard let command = NEO2Message.takeCommand(from: &assembly) else { return [] }
        // The fill bytes of the last report.
        assembly = []
        return effects(firmware.handle(command, at: now))
    }

    public func control(_ setup: SetupPacket, data: [UInt8], at now: Duration) -> (
        reply: ControlReply, effects: [FirmwareEffect]
    ) {
        switch (setup.requestType, setup.request) {
        // SET_IDLE, SET_PROTOCOL (HID 1.11, 7.2).
        case (0x21, 0x0A), (0x21, 0x0B): (.accepted, [])
        default: (.stall, [])
        }
    }

    public var nextDue: Duration? { firmware.nextDue }

    public func advance(to now: Duration) -> [FirmwareEffect] { effects(firmware.advance(to: now)) }

    public func haltCleared(on endpoint: UInt8) {}

    public func powerCycled() {
        assembly = []
        firmware.powerCycled()
    }

    public func steer(_ command: String, at now: Duration) -> (complaint: String?, effects: [FirmwareEffect]) {
        let (complaint, found) = firmware.steer(command, at: now)
        return (complaint, effects(found))
    }

    private func effects(_ found: [SerialEffect]) -> [FirmwareEffect] {
        found.map { effect in
            switch effect {
            case .bytes(let report): .data(endpoint: Self.interruptIn, bytes: report, zeroLengthPacket: false)
            case .unplug: .unplug
            case .plug: .plug
            }
        }
    }
}

extension NEO2Firmware {
    static func make(_ words: [String: String], link: Link) throws(CoreOptionError) -> NEO2Firmware {
        let options = try NEO2Options(words)
        let firmware = NEO2Firmware(options, link: link)
        if let name = options.card {
            guard let profile = CardProfile.named(name) else {
                throw CoreOptionError("card", "there is no card profile \(name)")
            }
            firmware.terminal.present(EMVCardCore(profile: profile), options.entry)
        }
        return firmware
    }
}

/// Descriptors of the HID form (USB 2.0, 9.6; HID 1.11, 6.2.1).
enum NEO2Descriptors {
    /// Vendor-defined usage, four reports of 63 bytes each way.
    static let report: [UInt8] = {
        var bytes: [UInt8] = [0x06, 0x00, 0xFF, 0x09, 0x01, 0xA1, 0x01, 0x15, 0x00, 0x26, 0xFF, 0x00, 0x75, 0x08]
        for id in UInt8(1)...4 { bytes += [0x85, id, 0x95, 63, 0x09, 0x01, 0x81, 0x02, 0x09, 0x01, 0x91, 0x02] }
        return bytes + [0xC0]
    }()

    static func make(_ options: NEO2Options) -> DeviceDescriptors {
        func word(_ value: UInt16) -> [UInt8] { [UInt8(value & 0xFF), UInt8(value >> 8)] }
        let packet = word(UInt16(NEO2HIDCore.reportLength))
        let interface: [UInt8] = [9, 0x04, 0, 0, 2, 0x03, 0x00, 0x00, 0]
        let hid: [UInt8] = [9, 0x21, 0x11, 0x01, 0x00, 1, 0x22] + word(UInt16(report.count))
        let into: [UInt8] = [7, 0x05, NEO2HIDCore.interruptIn, 0x03] + packet + [1]
        let out: [UInt8] = [7, 0x05, NEO2HIDCore.interruptOut, 0x03] + packet + [1]
        let rest = interface + hid + into + out
        return DeviceDescriptors(
            device: [18, 0x01, 0x00, 0x02, 0x00, 0x00, 0x00, 64] + word(options.vendor) + word(options.product)
                + [0x00, 0x01, 1, 2, 3, 1],
            configuration: [9, 0x02] + word(UInt16(9 + rest.count)) + [1, 1, 0, 0x80, 250] + rest,
            strings: ["ID TECH", "VP3300 Mock", options.serial], speed: "12")
    }
}
