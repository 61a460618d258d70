/// A message to the reader (CCID 1.1, 6.1): a 10-byte header and its data. There is no check byte; USB has its own.
public struct CCIDCommand: Sendable, Hashable {
    public static let headerLength = 10

    public var type: CCIDMessageType.Command
    public var slot: UInt8
    public var sequence: UInt8
    /// Header bytes 7, 8 and 9, whose meaning depends on the type.
    public var specific: SpecificBytes
    public var data: [UInt8]

    public struct SpecificBytes: Sendable, Hashable {
        public var first: UInt8
        public var second: UInt8
        public var third: UInt8

        public init(_ first: UInt8 = 0, _ second: UInt8 = 0, _ third: UInt8 = 0) {
            self.first = first
            self.second = second
            self.third = third
        }
    }

    public init(
        _ type: CCIDMessageType.Command, slot: UInt8, sequence: UInt8, specific: SpecificBytes = SpecificBytes(),
        data: [UInt8] = []
    ) {
        self.type = type
        self.slot = slot
        self.sequence = sequence
        self.specific = specific
        self.data = data
    }

    /// The message as it goes to the bulk OUT pipe.
    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.headerLength + data.count)
        bytes.append(type.rawValue)
        let length = UInt32(data.count)
        bytes.append(UInt8(truncatingIfNeeded: length))
        bytes.append(UInt8(truncatingIfNeeded: length >> 8))
        bytes.append(UInt8(truncatingIfNeeded: length >> 16))
        bytes.append(UInt8(truncatingIfNeeded: length >> 24))
        bytes.append(slot)
        bytes.append(sequence)
        bytes.append(specific.first)
        bytes.append(specific.second)
        bytes.append(specific.third)
        bytes.append(contentsOf: data)
        return bytes
    }
}

/// bPowerSelect of PC_to_RDR_IccPowerOn (CCID 1.1, 6.1.1).
public enum CCIDVoltage: UInt8, Sendable, Hashable, CaseIterable {
    case automatic = 0
    case volts5 = 1
    case volts3 = 2
    case volts1_8 = 3
}

extension CCIDCommand {
    public static func iccPowerOn(slot: UInt8, sequence: UInt8, voltage: CCIDVoltage) -> Self {
        Self(.iccPowerOn, slot: slot, sequence: sequence, specific: SpecificBytes(voltage.rawValue))
    }

    /// - Parameters:
    ///   - waitingTimeMultiplier: bBWI, used at TPDU and character level only.
    ///   - levelParameter: wLevelParameter: 0 for a whole command, 1 begins, 2 ends, 3 continues a chain at extended
    ///     level; 0x10 asks for the next part of the answer (6.1.4).
    public static func xfrBlock(
        slot: UInt8, sequence: UInt8, waitingTimeMultiplier: UInt8 = 0, levelParameter: UInt16 = 0, data: [UInt8]
    ) -> Self {
        Self(
            .xfrBlock, slot: slot, sequence: sequence,
            specific: SpecificBytes(
                waitingTimeMultiplier, UInt8(levelParameter & 0xFF), UInt8(levelParameter >> 8)),
            data: data)
    }

    /// - Parameters:
    ///   - protocolNumber: 0 or 1.
    ///   - parameters: abProtocolDataStructure, 5 bytes for T=0, 7 for T=1 (6.1.7).
    public static func setParameters(
        slot: UInt8, sequence: UInt8, protocolNumber: UInt8, parameters: [UInt8]
    ) -> Self {
        Self(
            .setParameters, slot: slot, sequence: sequence, specific: SpecificBytes(protocolNumber), data: parameters)
    }
}
