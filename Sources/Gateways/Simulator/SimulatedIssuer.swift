import Crypto
import EMV

/// One issuer of the simulator with its keys. Prints only its brand.
struct SimulatedIssuer: Sendable {
    struct CardRange: Sendable {
        /// Leading digits of the PAN.
        let prefix: String
        let accountType: AuthorisationResponse.AccountType
        let bank: String
    }

    let brand: String
    /// The registered application provider, five bytes: it decides how tag 9F10 is read.
    let provider: [UInt8]
    let cardKeyDerivation: CardKeyDerivation
    let cryptogramKey: SecretBytes
    let scriptIntegrityKey: SecretBytes
    let ranges: [CardRange]
}

extension SimulatedIssuer: CustomStringConvertible, CustomReflectable {
    var description: String { "simulated issuer \(brand)" }
    var customMirror: Mirror { Mirror(self, children: []) }
}
