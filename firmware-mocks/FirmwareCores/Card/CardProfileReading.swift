import FoundationEssentials

extension CardProfile {
    /// Reads card files that may refer to one another with `like`.
    public static func read(_ files: [[UInt8]]) throws(CardProfileError) -> [CardProfile] {
        var known: [String: CardFile] = [:]
        var order: [CardFile] = []
        for (index, file) in files.enumerated() {
            let decoded: CardFile
            do {
                decoded = try JSONDecoder().decode(CardFile.self, from: Data(file))
            } catch {
                throw CardProfileError("card file \(index + 1)", "not a card profile: \(error)")
            }
            known[decoded.name] = decoded
            order.append(decoded)
        }
        var profiles: [CardProfile] = []
        for file in order {
            profiles.append(try CardProfile(resolve(file, among: known)))
        }
        return profiles
    }

    /// Follows `like` at most four times, so that a circle ends.
    private static func resolve(
        _ file: CardFile, among known: [String: CardFile]
    ) throws(CardProfileError) -> CardFile {
        var chain = [file]
        while let parent = chain[chain.count - 1].like {
            guard chain.count <= 4, let base = known[parent] else {
                throw CardProfileError(file.name, "cannot start from \(parent)")
            }
            chain.append(base)
        }
        var result = chain.removeLast()
        while let next = chain.popLast() { result = next.based(on: result) }
        return result
    }

    init(_ file: CardFile) throws(CardProfileError) {
        guard let title = file.title, let brand = file.brand else {
            throw CardProfileError(file.name, "title and brand are needed")
        }
        guard let number = file.protocol, number <= 1 else {
            throw CardProfileError(file.name, "protocol must be 0 or 1")
        }
        name = file.name
        self.title = title
        self.brand = brand
        accountType = file.accountType ?? "credit"
        transmissionProtocol = number
        maximumBlock = min(max(file.ifsc ?? 254, 1), 254)
        hasDirectory = file.pse ?? true
        counter = file.counter ?? 0
        var read: [CardApplication] = []
        for application in file.applications ?? [] {
            read.append(try CardApplication(application, file: file.name))
        }
        applications = read
        behaviour = try CardBehaviour(file.behaviour, file: file.name)
    }
}

extension CardBehaviour {
    init(_ file: CardFile.Behaviour?, file name: String) throws(CardProfileError) {
        guard let file else { return }
        isMute = file.mute ?? false
        isBlocked = file.blocked ?? false
        hasBlockedApplication = file.applicationBlocked ?? false
        hasBlockedDirectory = file.directoryBlocked ?? false
        refusesOptions = file.refusesOptions ?? false
        delay = .milliseconds(file.delayMilliseconds ?? 0)
        declinesFirst = file.declinesFirst ?? false
        declinesSecond = file.declinesSecond ?? false
        approvesOffline = file.approvesOffline ?? false
        needsIssuerAuthentication = file.needsIssuerAuthentication ?? false
        signsWrongHash = file.signsWrongHash ?? false
        pulled = try Moment(file.pulledAt, file: name)
        nonsense = try Moment(file.nonsenseAt, file: name)
        seed = file.seed ?? 1
    }
}

extension CardBehaviour.Moment {
    fileprivate init?(_ text: String?, file: String) throws(CardProfileError) {
        guard let text else { return nil }
        guard let moment = Self(text) else {
            throw CardProfileError(file, "a moment is a command number, gpo, first-ac or second-ac")
        }
        self = moment
    }

    init?(_ text: String) {
        switch text {
        case "gpo": self = .processingOptions
        case "first-ac": self = .firstCryptogram
        case "second-ac": self = .secondCryptogram
        default:
            guard let number = Int(text), number > 0 else { return nil }
            self = .command(number)
        }
    }
}
