/// A card profile as it stands in its JSON file. Every key but `name` may be left out when `like` names another card
/// to start from.
struct CardFile: Decodable {
    var name: String
    var like: String?
    var title: String?
    var brand: String?
    var accountType: String?
    var `protocol`: UInt8?
    var ifsc: UInt8?
    var pse: Bool?
    var counter: UInt16?
    var applications: [Application]?
    /// Values that replace those of every application.
    var change: Application?
    /// Objects put in the place of those with the same tag, in every record.
    var replace: [String]?
    /// Tags taken out of every record.
    var without: [String]?
    var behaviour: Behaviour?

    struct Application: Decodable {
        var aid: String?
        var label: String?
        var priority: UInt8?
        /// 9F12 in hexadecimal, with 9F11.
        var preferredName: String?
        var codeTable: UInt8?
        var language: String?
        var pdol: String?
        var aip: String?
        /// Made from the records when it is left out.
        var afl: String?
        var cryptogram: String?
        var authority: String?
        var gpoFormat: Int?
        var acFormat: Int?
        var pin: String?
        /// The chip's private keys: for signatures, and for the enciphered PIN when that has its own.
        var signingKey: PrivateKey?
        var pinKey: PrivateKey?
        var records: [Record]?

        /// This one with the other's values where the other has any.
        func changed(by other: Application) -> Application {
            Application(
                aid: other.aid ?? aid, label: other.label ?? label, priority: other.priority ?? priority,
                preferredName: other.preferredName ?? preferredName, codeTable: other.codeTable ?? codeTable,
                language: other.language ?? language, pdol: other.pdol ?? pdol, aip: other.aip ?? aip,
                afl: other.afl ?? afl, cryptogram: other.cryptogram ?? cryptogram,
                authority: other.authority ?? authority, gpoFormat: other.gpoFormat ?? gpoFormat,
                acFormat: other.acFormat ?? acFormat, pin: other.pin ?? pin,
                signingKey: other.signingKey ?? signingKey, pinKey: other.pinKey ?? pinKey,
                records: other.records ?? records)
        }
    }

    /// RSA in hexadecimal; made by scripts/make-test-authority.py.
    struct PrivateKey: Decodable {
        var modulus: String
        var p: String
        var q: String
        var exponentP: String
        var exponentQ: String
        var coefficient: String
    }

    /// Objects are written `5A 4761739001010119` or `5F20 'TEST CARDHOLDER/ONE'`; `raw 0000` puts bytes as they are.
    struct Record: Decodable {
        var sfi: UInt8
        var record: UInt8
        var objects: [String]
    }

    struct Behaviour: Decodable {
        var mute: Bool?
        var blocked: Bool?
        var applicationBlocked: Bool?
        var directoryBlocked: Bool?
        var refusesOptions: Bool?
        var delayMilliseconds: UInt16?
        var declinesFirst: Bool?
        var declinesSecond: Bool?
        var approvesOffline: Bool?
        var needsIssuerAuthentication: Bool?
        var signsWrongHash: Bool?
        /// A command number, `gpo`, `first-ac` or `second-ac`.
        var pulledAt: String?
        var nonsenseAt: String?
        var seed: UInt64?
    }

    /// This card as a variation of `base`.
    func based(on base: CardFile) -> CardFile {
        var result = base
        result.name = name
        result.like = nil
        result.title = title ?? base.title
        result.brand = brand ?? base.brand
        result.accountType = accountType ?? base.accountType
        result.protocol = self.protocol ?? base.protocol
        result.ifsc = ifsc ?? base.ifsc
        result.pse = pse ?? base.pse
        result.counter = counter ?? base.counter
        result.behaviour = behaviour ?? base.behaviour
        result.applications = (applications ?? base.applications)?.map { application in
            var changed = change.map(application.changed(by:)) ?? application
            changed.records = changed.records.map { $0.map(varied) }
            return changed
        }
        return result
    }

    private func varied(_ record: Record) -> Record {
        let replacements = replace ?? []
        var result = record
        result.objects = record.objects.compactMap { object in
            let tag = object.prefix { $0 != " " }
            if without?.contains(String(tag)) == true { return nil }
            return replacements.first { $0.prefix { $0 != " " } == tag } ?? object
        }
        return result
    }
}
