/// What can go wrong in this module. Never carries key or data bytes.
public enum CryptoError: Error, Sendable, Hashable {
    /// The key has a length that the algorithm does not take.
    case keyLength(expected: Int, actual: Int)
    /// The key has none of the lengths that the algorithm takes.
    case keyLengthUnknown(actual: Int)
    /// The data is not one whole block.
    case blockLength(expected: Int, actual: Int)
    /// The RSA modulus is even, begins with a zero byte, or has a length that EMV does not allow.
    case modulus(length: Int)
    /// The RSA exponent is neither 3 nor 65537.
    case exponent
    /// The number to raise is not below the modulus.
    case notBelowModulus
    /// libcrypto refused the named operation, for example because its policy forbids the algorithm.
    case library(operation: String)

    /// A stable name for logs and tables.
    public var code: String {
        switch self {
        case .keyLength, .keyLengthUnknown: "crypto.keyLength"
        case .blockLength: "crypto.blockLength"
        case .modulus: "crypto.modulus"
        case .exponent: "crypto.exponent"
        case .notBelowModulus: "crypto.notBelowModulus"
        case .library: "crypto.library"
        }
    }
}

extension CryptoError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .keyLength(let expected, let actual): "A key of \(expected) bytes is needed; this one has \(actual)."
        case .keyLengthUnknown(let actual): "No key of \(actual) bytes can be used here."
        case .blockLength(let expected, let actual): "A block of \(expected) bytes is needed; this one has \(actual)."
        case .modulus(let length): "The RSA modulus of \(length) bytes cannot be used."
        case .exponent: "The RSA exponent is neither 3 nor 65537."
        case .notBelowModulus: "The number is not below the RSA modulus."
        case .library(let operation): "The crypto library refused the operation \(operation)."
        }
    }
}
