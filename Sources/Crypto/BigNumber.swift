internal import COpenSSL

/// One libcrypto number, freed (and cleared, since a PIN block may have been in it) exactly once.
struct BigNumber: ~Copyable {
    fileprivate let number: OpaquePointer

    /// From big-endian bytes.
    init(_ bytes: [UInt8]) throws(CryptoError) {
        guard let count = Int32(exactly: bytes.count), let number = BN_bin2bn(bytes, count, nil) else {
            throw .library(operation: "BN_bin2bn")
        }
        self.number = number
    }

    /// self ^ exponent mod modulus, as `length` big-endian bytes.
    func raised(
        to exponent: borrowing BigNumber, modulo modulus: borrowing BigNumber, length: Int
    ) throws(CryptoError) -> [UInt8] {
        let work = try BigNumberWorkspace()
        let result = try BigNumber([])
        guard BN_mod_exp(result.number, number, exponent.number, modulus.number, work.context) == 1 else {
            throw .library(operation: "BN_mod_exp")
        }
        var bytes = [UInt8](repeating: 0, count: length)
        guard let size = Int32(exactly: length), BN_bn2binpad(result.number, &bytes, size) == size else {
            throw .library(operation: "BN_bn2binpad")
        }
        return bytes
    }

    deinit {
        BN_clear_free(number)
    }
}

/// libcrypto's scratch memory for one calculation.
private struct BigNumberWorkspace: ~Copyable {
    fileprivate let context: OpaquePointer

    init() throws(CryptoError) {
        guard let context = BN_CTX_new() else { throw .library(operation: "BN_CTX_new") }
        self.context = context
    }

    deinit {
        BN_CTX_free(context)
    }
}
