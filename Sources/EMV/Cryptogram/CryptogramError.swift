public import BERTLV
public import Crypto

/// Why a cryptogram cannot be computed. A cryptogram that does not match is not an error but an answer.
public enum CryptogramError: Error, Sendable, Hashable {
    /// The message lacks an object that the cryptogram covers.
    case missing(Tag)
    /// An object that the cryptogram covers has the wrong length.
    case length(of: Tag, actual: Int)
    /// A value of this module's own calls has the wrong length.
    case argumentLength(String, actual: Int)
    /// The PAN sequence number is not 0 ... 99.
    case panSequenceNumber(UInt8)
    case crypto(CryptoError)

    /// A stable name for logs and tables.
    public var code: String {
        switch self {
        case .missing: "cryptogram.missing"
        case .length: "cryptogram.length"
        case .argumentLength: "cryptogram.argumentLength"
        case .panSequenceNumber: "cryptogram.panSequenceNumber"
        case .crypto(let error): error.code
        }
    }
}

extension CryptogramError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .missing(let tag): "The object \(tag) is missing, which the cryptogram covers."
        case .length(let tag, let actual): "The object \(tag) has \(actual) bytes, which is not its length."
        case .argumentLength(let name, let actual): "The \(name) has \(actual) bytes, which is not its length."
        case .panSequenceNumber(let number): "The PAN sequence number \(number) is not 0 to 99."
        case .crypto(let error): error.description
        }
    }
}

/// Runs `body` and wraps the crypto library's error.
func wrapping<Result>(_ body: () throws(CryptoError) -> Result) throws(CryptogramError) -> Result {
    do throws(CryptoError) {
        return try body()
    } catch {
        throw .crypto(error)
    }
}
