/// The chip of a simulated EMV card: commands in, answers out, whole APDUs. It knows nothing of readers or of transmission
/// protocols (see `T0CardLink`, `T1CardLink`). It keeps its transaction counter when power goes. Not thread-safe: its
/// owner holds a lock.
public final class EMVCardCore {
    /// Where the card is in a transaction.
    enum Stage: Hashable {
        case nothing
        case directory
        case selected
        case initiated
        case online
        case ended
    }

    public let profile: CardProfile
    /// What the card saw, oldest first; the last 64 transactions.
    public internal(set) var log: [CardTransaction] = []
    /// True once the cardholder has pulled the card as its profile says. The reader must treat it as removed.
    public internal(set) var wasPulled = false
    /// Overrides the profile: the cardholder pulls the card at this moment.
    public var pulled: CardBehaviour.Moment?

    var stage = Stage.nothing
    var application: CardApplication?
    /// The name of the last SELECT and the index of the application it found, for "next occurrence".
    var lastName: [UInt8] = []
    var lastMatch = -1
    var counter: UInt16
    var lastOnlineCounter: UInt16 = 0
    var pinTries: UInt8 = 3
    var terminalValues: [String: [UInt8]] = [:]
    var firstCryptogram: UInt64 = 0
    var firstType = CardCryptography.CryptogramType.declined
    var issuerAuthentication = CardCryptography.IssuerAuthentication.notPerformed
    var didExternalAuthenticate = false
    /// What came for the PDOL and for CDOL1, as CDA signs it.
    var processingOptionsData: [UInt8] = []
    var firstListData: [UInt8] = []
    /// The last GET CHALLENGE, good for one VERIFY.
    var challenge: [UInt8]?
    var random: SeededGenerator
    private var commands = 0

    public init(profile: CardProfile) {
        self.profile = profile
        counter = profile.counter
        pulled = profile.behaviour.pulled
        random = SeededGenerator(seed: profile.behaviour.seed)
    }

    /// The answer to reset; nil from a mute card.
    public func powerOn() -> [UInt8]? {
        powerOff()
        return profile.behaviour.isMute || wasPulled ? nil : profile.answerToReset
    }

    /// Everything volatile is gone.
    public func powerOff() {
        stage = .nothing
        application = nil
        lastName = []
        lastMatch = -1
        commands = 0
        endTransaction()
    }

    /// Carries out one command APDU and answers with data and status word. Empty when there is no answer, because the
    /// card is mute or was pulled.
    public func transmit(_ apdu: [UInt8]) -> [UInt8] {
        guard !profile.behaviour.isMute, !wasPulled else { return [] }
        commands += 1
        if let pulled, isNow(pulled, apdu) {
            wasPulled = true
            return []
        }
        if let nonsense = profile.behaviour.nonsense, isNow(nonsense, apdu) {
            return random.bytes(1 + Int(random.next() % 40))
        }
        switch CardCommand.read(apdu) {
        case .command(let command): return execute(command).bytes
        case .wrongLength: return CardReply.wrongLength.bytes
        }
    }

    private func execute(_ command: CardCommand) -> CardReply {
        switch command.class {
        case 0x00:
            switch command.instruction {
            case 0xA4: return select(command)
            case 0xB2: return readRecord(command)
            case 0x20: return verify(command)
            case 0x82: return externalAuthenticate(command)
            case 0x84: return getChallenge(command)
            case 0x88: return internalAuthenticate(command)
            default: return .unknownInstruction
            }
        case 0x80:
            switch command.instruction {
            case 0xA8: return getProcessingOptions(command)
            case 0xAE: return generateCryptogram(command)
            case 0xCA: return getData(command)
            default: return .unknownInstruction
            }
        case 0x04, 0x84, 0x8C: return script(command)
        default: return .unknownClass
        }
    }

    private func isNow(_ moment: CardBehaviour.Moment, _ apdu: [UInt8]) -> Bool {
        guard apdu.count > 1 else { return moment == .command(commands) }
        switch moment {
        case .command(let number): return number == commands
        case .processingOptions: return apdu[1] == 0xA8
        case .firstCryptogram: return apdu[1] == 0xAE && stage == .initiated
        case .secondCryptogram: return apdu[1] == 0xAE && stage == .online
        }
    }

    func endTransaction() {
        terminalValues = [:]
        firstCryptogram = 0
        firstType = .declined
        issuerAuthentication = .notPerformed
        didExternalAuthenticate = false
        processingOptionsData = []
        firstListData = []
        challenge = nil
    }

    func updateLog(_ change: (inout CardTransaction) -> Void) {
        guard var last = log.popLast() else { return }
        change(&last)
        log.append(last)
    }
}
