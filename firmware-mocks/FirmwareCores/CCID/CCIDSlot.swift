/// The one slot of the reader with the card in it.
final class CCIDSlot {
    /// The card in the slot; nil when it is empty.
    private(set) var card: EMVCardCore?
    private(set) var tpduT0: T0CardLink?
    private(set) var tpduT1: T1CardLink?
    private(set) var isActive = false
    /// The card stops answering until it is taken out.
    var isMute = false
    /// Before the first exchange after reset the card still takes a PPS.
    private(set) var mayNegotiate = false
    /// bProtocolNum and abProtocolDataStructure.
    private(set) var selectedProtocol: UInt8 = 0
    private(set) var parameters: [UInt8] = []
    /// A command and an answer that travel in pieces (wLevelParameter, bChainParameter).
    var command: [UInt8] = []
    var answer: [UInt8] = []

    /// bmICCStatus.
    var status: UInt8 { card == nil ? 2 : isActive ? 0 : 1 }

    func insert(_ card: EMVCardCore) {
        card.wasPulled = false
        self.card = card
        tpduT0 = T0CardLink(card: card)
        tpduT1 = T1CardLink(card: card)
        isMute = false
        setDefaults()
        powerOff()
    }

    func remove() -> EMVCardCore? {
        powerOff()
        defer { card = nil }
        return card
    }

    func powerOff() {
        card?.powerOff()
        isActive = false
        command = []
        answer = []
    }

    /// The answer to reset; nil from a mute card.
    func powerOn() -> [UInt8]? {
        powerOff()
        guard let card, !isMute, let reset = card.powerOn() else { return nil }
        tpduT0?.reset()
        tpduT1?.reset()
        setDefaults()
        isActive = true
        mayNegotiate = true
        return reset
    }

    /// What the reader sets by itself from the answer to reset (CCID 1.1, 6.1.7).
    func setDefaults() {
        guard let card else { return }
        selectedProtocol = card.profile.transmissionProtocol
        parameters =
            selectedProtocol == 1
            ? [0x11, 0x10, 0x00, 0x45, 0x00, card.profile.maximumBlock, 0x00] : [0x11, 0x00, 0x00, 0x0A, 0x00]
    }

    func set(parameters: [UInt8]) {
        self.parameters = parameters
    }

    /// One APDU to the card; empty when it does not answer.
    func transmit(_ apdu: [UInt8]) -> [UInt8] {
        mayNegotiate = false
        guard let card, isActive, !isMute else { return [] }
        return card.transmit(apdu)
    }

    /// One TPDU, T=1 block or PPS to the card as it stands; empty when it does not answer.
    func exchange(_ unit: [UInt8]) -> [UInt8] {
        guard let card, isActive, !isMute else { return [] }
        if mayNegotiate, unit.first == 0xFF { return Self.negotiate(unit, card.profile.transmissionProtocol) }
        mayNegotiate = false
        return (card.profile.transmissionProtocol == 1 ? tpduT1?.exchange(unit) : tpduT0?.exchange(unit)) ?? []
    }

    /// The card confirms a PPS (ISO 7816-3, clause 9) for its own protocol and the default speed, and ignores another.
    private static func negotiate(_ request: [UInt8], _ number: UInt8) -> [UInt8] {
        guard request.count >= 3, request.reduce(0, ^) == 0, request[1] & 0x0F == number else { return [] }
        guard request.count == 3 + (request[1] >> 4 & 7).nonzeroBitCount else { return [] }
        if request[1] & 0x10 != 0, request[2] != 0x11 { return [0xFF, number, 0xFF ^ number] }
        return request
    }
}
