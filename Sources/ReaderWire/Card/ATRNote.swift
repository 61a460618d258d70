/// Where a card's answer to reset departs from what EMV Book 1, 8.3 allows. Not a refusal: many test cards and
/// readers live with it.
public enum ATRNote: String, Sendable, Hashable, CaseIterable {
    /// TA1 is outside 11 ... 13 in negotiable mode (8.3.3.1).
    case speedOutsideEMV
    /// TB1 is present and asks for a programming voltage (8.3.3.2).
    case programmingVoltage
    /// TD1 names a protocol other than T=0 and T=1 (8.3.3.4).
    case firstProtocolOutsideEMV
    /// TA2 names another protocol than TD1, or an implicit speed (8.3.3.5).
    case specificModeOutsideEMV
    /// TB2 is present (8.3.3.6).
    case secondProgrammingVoltage
    /// TC2 is present and not 0A (8.3.3.7).
    case workWaitingIntegerOutsideEMV
    /// TA3 of T=1 is under 10 or FF (8.3.3.9).
    case informationFieldSizeOutsideEMV
    /// TB3 of T=1 is missing, BWI is over 4, CWI is over 5, or 2^CWI does not exceed N + 1 (8.3.3.10).
    case waitingIntegersOutsideEMV
    /// TC3 of T=1 is not 00 (8.3.3.11).
    case errorDetectionOutsideEMV
}

extension AnswerToReset {
    /// What EMV Book 1, 8.3.3 would object to, in the order of the bytes.
    public var emvNotes: [ATRNote] {
        var notes: [ATRNote] = []
        func note(_ note: ATRNote, when condition: Bool) {
            if condition { notes.append(note) }
        }
        let first = interfaceGroups.first
        let second = interfaceGroups.count > 1 ? interfaceGroups[1] : nil
        note(.speedOutsideEMV, when: specificMode == nil && !(0x11...0x13).contains(ta1))
        note(.programmingVoltage, when: (first?.tb ?? 0) != 0)
        let firstProtocol = second?.protocolNumber ?? 0
        note(.firstProtocolOutsideEMV, when: firstProtocol > 1)
        if let specificMode {
            note(
                .specificModeOutsideEMV,
                when: specificMode.protocolNumber != firstProtocol || !specificMode.usesInterfaceByteSpeed)
        }
        note(.secondProgrammingVoltage, when: second?.tb != nil)
        note(.workWaitingIntegerOutsideEMV, when: (second?.tc ?? 0x0A) != 0x0A)
        guard offeredProtocols.contains(.t1) else { return notes }
        let blocks = interfaceGroups.dropFirst(2).first { $0.protocolNumber == 1 }
        note(.informationFieldSizeOutsideEMV, when: !(0x10...0xFE).contains(blocks?.ta ?? 0x20))
        note(.waitingIntegersOutsideEMV, when: !hasEMVWaitingIntegers(blocks?.tb))
        note(.errorDetectionOutsideEMV, when: (blocks?.tc ?? 0) != 0)
        return notes
    }

    /// N = 255 counts as -1 for T=1 (EMV Book 1, 8.3.3.10).
    private func hasEMVWaitingIntegers(_ tb: UInt8?) -> Bool {
        guard let tb, tb >> 4 <= 4, tb & 0x0F <= 5 else { return false }
        let guardTime = extraGuardTime == 0xFF ? -1 : Int(extraGuardTime)
        return 1 << Int(tb & 0x0F) > guardTime + 1
    }
}
