import ReaderWire
import Transport

/// From a card in the slot to a channel for APDUs: power, ATR, protocol and parameters (CCID 1.1, 6.1.1 and 6.1.7).
struct CCIDActivation: Sendable {
    let link: CCIDLink
    let descriptor: CCIDClassDescriptor

    private static let operation = "powering the card on"

    /// Cold reset. A reader that does not choose the voltage by itself is led from 5 V down (class A first, as EMV has it).
    func powerOn(until deadline: Deadline) async throws(ReaderError) -> (bytes: [UInt8], atr: AnswerToReset) {
        let voltages = self.voltages
        for (index, voltage) in voltages.enumerated() {
            do throws(ReaderError) {
                let response = try await link.exchange(
                    .iccPowerOn, specific: CCIDCommand.SpecificBytes(voltage.rawValue), expecting: .dataBlock,
                    operation: Self.operation, until: deadline)
                return (response.data, try Self.parse(response.data))
            } catch  where error.code == .cardMute && index + 1 < voltages.count {
                _ = try await link.exchange(
                    .iccPowerOff, expecting: .slotStatus, operation: Self.operation, until: deadline)
            }
        }
        throw ReaderError(.cardMute, during: Self.operation)
    }

    private var voltages: [CCIDVoltage] {
        if descriptor.features.contains(.automaticVoltageSelection) { return [.automatic] }
        let offered: [(UInt8, CCIDVoltage)] = [(1, .volts5), (2, .volts3), (4, .volts1_8)]
        let usable = offered.filter { descriptor.voltages & $0.0 != 0 }.map(\.1)
        return usable.isEmpty ? [.automatic] : usable
    }

    private static func parse(_ bytes: [UInt8]) throws(ReaderError) -> AnswerToReset {
        do throws(ATRError) {
            return try AnswerToReset(parsing: bytes)
        } catch {
            throw ReaderError(.cardUnusable, during: operation, detail: "the ATR is malformed: \(error)")
        }
    }

    /// Agrees on the protocol, as far as the reader leaves that to the host.
    func channel(_ atr: AnswerToReset, until deadline: Deadline) async throws(ReaderError) -> CCIDCardChannel {
        guard let cardProtocol = atr.defaultProtocol else {
            throw ReaderError(.cardUnusable, during: Self.operation, detail: "it offers neither T=0 nor T=1")
        }
        let isAutomatic = !descriptor.features.isDisjoint(with: [
            .automaticParameterConfiguration, .automaticParametersNegotiation, .automaticPPS,
        ])
        if !isAutomatic {
            let speedAgreed = try await negotiate(atr, cardProtocol, until: deadline)
            let parameters = ProtocolParameters(atr: atr, protocol: cardProtocol, usesDefaultSpeed: !speedAgreed)
            _ = try await link.exchange(
                .setParameters, specific: CCIDCommand.SpecificBytes(cardProtocol.rawValue), data: parameters.bytes,
                expecting: .parameters, operation: "setting the card's parameters", until: deadline)
        }
        switch (descriptor.exchangeLevel, cardProtocol) {
        case (.extendedAPDU, _): return .apdu(isExtended: true)
        case (.shortAPDU, _), (.character, _): return .apdu(isExtended: false)
        case (.tpdu, .t0): return .t0
        case (.tpdu, .t1): return try await blockChannel(atr, until: deadline)
        }
    }

    /// PPS where the card's first protocol or its speed is not what holds after reset, and the card leaves the choice open
    /// (ISO 7816-3, 9). True when the speed of TA1 is in force.
    private func negotiate(
        _ atr: AnswerToReset, _ cardProtocol: CardProtocol, until deadline: Deadline
    ) async throws(ReaderError) -> Bool {
        if let mode = atr.specificMode { return mode.usesInterfaceByteSpeed }
        guard descriptor.exchangeLevel == .tpdu, atr.ta1 != 0x11 || atr.needsPPS(for: cardProtocol) else {
            return false
        }
        let request = PPSRequest(protocol: cardProtocol, ta1: atr.ta1)
        let response = try await link.exchange(
            .xfrBlock, data: request.bytes, expecting: .dataBlock, operation: "negotiating the card's speed",
            until: deadline)
        switch request.outcome(of: response.data) {
        case .agreed: return true
        case .agreedAtInitialSpeed: return false
        case .failed:
            // ISO 7816-3, 9.3: after a failed PPS the card is reset and keeps its first protocol and its default speed.
            _ = try await powerOn(until: deadline)
            return false
        }
    }

    private func blockChannel(_ atr: AnswerToReset, until deadline: Deadline) async throws(ReaderError)
        -> CCIDCardChannel
    {
        let deviceSize = min(max(descriptor.maximumIFSD, 32), 254)
        var engine = T1Engine(
            errorDetection: atr.errorDetection, informationFieldSizeCard: atr.informationFieldSizeCard,
            informationFieldSizeDevice: deviceSize)
        if !descriptor.features.contains(.automaticIFSDExchange) {
            do throws(ReaderError) {
                _ = try await CCIDCardChannel.runT1(engine.startIFS(), &engine, over: link, until: deadline)
            } catch  where error.code == .cardUnusable {
                // A card that knows no S(IFS) keeps the default size of 32 bytes, and works.
            }
        }
        return .t1(engine)
    }
}
