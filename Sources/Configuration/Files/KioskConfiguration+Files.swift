public import Crypto
public import EMV
import Glibc

extension KioskConfiguration {
    /// The largest key file, in bytes.
    private static let maximumKeyFile = 1 << 20
    /// The longest token, in bytes.
    private static let maximumToken = 4096

    /// The file that is read when `path` is given or not; nil: none is there, and everything has its default.
    public static func place(_ path: String?) -> String? {
        path ?? (access(systemPath, F_OK) == 0 ? systemPath : nil)
    }

    /// From `path`, else from the system's file when it is there, else the defaults.
    public static func load(_ path: String?) throws(ConfigurationError) -> KioskConfiguration {
        guard let path = place(path) else { return KioskConfiguration() }
        let bytes: [UInt8]
        do throws(ReferencedFile.Fault) {
            bytes = try ReferencedFile.read(path, limit: maximumSize)
        } catch {
            throw ConfigurationError([ConfigurationProblem(path: "", message: error.message)])
        }
        return try KioskConfiguration(json: bytes)
    }

    /// Opens the key file, and adds the revoked certificates.
    public func certificationAuthorityKeys() throws(ConfigurationProblem) -> CertificationAuthorityKeyStore {
        let path = "terminal.certificationAuthorityKeys"
        let store: CertificationAuthorityKeyStore
        do {
            switch terminal.keys {
            case .test: store = try .test()
            case .file(let file):
                store = try CertificationAuthorityKeyStore(
                    json: ReferencedFile.read(file, limit: Self.maximumKeyFile))
            }
        } catch let fault as ReferencedFile.Fault {
            throw ConfigurationProblem(path: path, message: fault.message)
        } catch {
            throw ConfigurationProblem(path: path, message: "the key file is not as it should be: \(error)")
        }
        return store.revoking(CertificateRevocationList(terminal.revokedCertificates.entries))
    }

    /// Opens the file of the user token; nil when none is named. Whether it has expired is the caller's to ask.
    public func userTokenSecret() throws(ConfigurationProblem) -> SecretBytes? {
        guard let file = userToken.file else { return nil }
        do throws(ReferencedFile.Fault) {
            return try ReferencedFile.readSecret(file, limit: Self.maximumToken)
        } catch {
            throw ConfigurationProblem(path: "userToken.userTokenFile", message: error.message)
        }
    }

    /// Opens the file of the secret that webhooks are signed with; nil when nobody is told.
    public func webhookSecret() throws(ConfigurationProblem) -> SecretBytes? {
        guard let file = webhook.receiver?.secretFile else { return nil }
        do throws(ReferencedFile.Fault) {
            return try ReferencedFile.readSecret(file, limit: Self.maximumToken)
        } catch {
            throw ConfigurationProblem(path: "webhook.secretFile", message: error.message)
        }
    }

    /// Opens the key of the sales that wait for the host; nil when none is named.
    public func offlineKey() throws(ConfigurationProblem) -> SecretBytes? {
        guard let file = offline.keyFile else { return nil }
        let path = "offline.keyFile"
        let text: SecretBytes
        do throws(ReferencedFile.Fault) {
            text = try ReferencedFile.readSecret(file, limit: Self.maximumToken)
        } catch {
            throw ConfigurationProblem(path: path, message: error.message)
        }
        var digits = text.withBytes { $0.compactMap(HexText.digit) }
        defer { wipe(&digits) }
        guard digits.count == 64, digits.count == text.count else {
            throw ConfigurationProblem(
                path: path, message: "a file with 64 hex digits is expected, one with another text was given")
        }
        var key = stride(from: 0, to: 64, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
        defer { wipe(&key) }
        return SecretBytes(key)
    }

    /// What the kernel is told.
    public func terminalConfiguration(
        keys: CertificationAuthorityKeyStore
    ) -> TerminalConfiguration {
        TerminalConfiguration(
            countryCode: terminal.country, capabilities: terminal.capabilities,
            additionalCapabilities: terminal.additionalCapabilities, terminalType: terminal.type,
            terminalIdentification: merchant.terminalID, merchantIdentifier: merchant.merchantID,
            merchantCategoryCode: merchant.categoryCodeBCD,
            interfaceDeviceSerialNumber: terminal.interfaceDeviceSerialNumber, applications: terminal.applications,
            transactionCategoryCode: terminal.transactionCategoryCode, checksVelocity: terminal.checksVelocity,
            certificationAuthorityKeys: keys)
    }
}
