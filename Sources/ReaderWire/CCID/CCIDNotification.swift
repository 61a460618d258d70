/// A message on the interrupt pipe (CCID 1.1, 6.3).
public enum CCIDNotification: Sendable, Hashable {
    /// RDR_to_PC_NotifySlotChange: one entry a slot, as far as the bitmap reaches.
    case slotChange([SlotState])
    /// RDR_to_PC_HardwareError: bSlot, bSeq and bHardwareErrorCode (01 = overcurrent).
    case hardwareError(slot: UInt8, sequence: UInt8, code: UInt8)

    public struct SlotState: Sendable, Hashable {
        public var isPresent: Bool
        public var hasChanged: Bool

        public init(isPresent: Bool, hasChanged: Bool) {
            self.isPresent = isPresent
            self.hasChanged = hasChanged
        }
    }

    /// Nil for anything else.
    public init?(parsing bytes: [UInt8]) {
        switch bytes.first.flatMap(CCIDMessageType.Notification.init(rawValue:)) {
        case .notifySlotChange where bytes.count >= 2:
            self = .slotChange(
                bytes.dropFirst().prefix(64).flatMap { byte in
                    stride(from: 0, to: 8, by: 2).map { shift in
                        SlotState(isPresent: byte >> shift & 1 != 0, hasChanged: byte >> shift & 2 != 0)
                    }
                })
        case .hardwareError where bytes.count >= 4:
            self = .hardwareError(slot: bytes[1], sequence: bytes[2], code: bytes[3])
        default:
            return nil
        }
    }
}
