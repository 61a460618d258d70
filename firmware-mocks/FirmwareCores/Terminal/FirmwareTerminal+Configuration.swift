extension FirmwareTerminal {
    /// How a reader's kernel is set up.
    public struct Configuration: Sendable {
        /// 9F1A, 9F33, 9F35, 9F40, 9F1E, 9F15 and the like.
        public var objects: TerminalObjects
        /// Application identifiers that are taken, whole or in front.
        public var applications: [[UInt8]] = [
            [0xA0, 0x00, 0x00, 0x00, 0x03, 0x10, 0x10], [0xA0, 0x00, 0x00, 0x00, 0x03, 0x20, 0x10],
            [0xA0, 0x00, 0x00, 0x00, 0x04, 0x10, 0x10], [0xA0, 0x00, 0x00, 0x00, 0x04, 0x30, 0x60],
        ]
        /// Below this amount the card is asked for a TC, in minor units. Zero: always online.
        public var floorLimit: UInt64 = 0
        /// Several applications on an inserted card are offered to the cardholder; otherwise the first by priority is taken.
        public var offersChoice = true
        /// The stripe of a card with a chip is refused until the chip has failed. Some readers leave that to the host.
        public var refusesChipStripe = true
        public var securing = AccountSecuring.clear
        /// Of the unpredictable number.
        public var seed: UInt64 = 1

        public init() {
            objects = TerminalObjects()
            objects["9F1A"] = [0x04, 0x84]
            objects["5F2A"] = [0x04, 0x84]
            objects["5F36"] = [0x02]
            // Chip, stripe; no verification of the cardholder; SDA, DDA, CDA. Unattended, merchant's, online only.
            objects["9F33"] = [0x60, 0x08, 0xC8]
            objects["9F35"] = [0x24]
            objects["9F40"] = [0x60, 0x00, 0x00, 0x50, 0x01]
            objects["9F1E"] = Array("MOCK0001".utf8)
            objects["9F03"] = [0, 0, 0, 0, 0, 0]
            objects["9C"] = [0x00]
        }
    }
}
