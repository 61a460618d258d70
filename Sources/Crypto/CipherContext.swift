internal import COpenSSL

/// One libcrypto cipher context, used for one direction, freed exactly once.
struct CipherContext: ~Copyable {
    enum Direction: Int32 {
        case decrypt = 0
        case encrypt = 1
    }

    let context: OpaquePointer

    init() throws(CryptoError) {
        guard let context = EVP_CIPHER_CTX_new() else { throw .library(operation: "EVP_CIPHER_CTX_new") }
        self.context = context
    }

    deinit {
        // Wipes the key schedule too.
        EVP_CIPHER_CTX_free(context)
    }

    /// Two-key triple DES in ECB mode, without libcrypto's padding. `key` is 16 bytes.
    func start(tripleDES key: UnsafeRawBufferPointer, _ direction: Direction) throws(CryptoError) {
        let bytes = key.bindMemory(to: UInt8.self)
        guard let cipher = FetchedAlgorithm.tripleDES,
            EVP_CipherInit_ex(context, cipher, nil, bytes.baseAddress, nil, direction.rawValue) == 1,
            EVP_CIPHER_CTX_set_padding(context, 0) == 1
        else { throw .library(operation: "EVP_CipherInit_ex") }
    }

    /// AES with a key of 16, 24 or 32 bytes, without libcrypto's padding: in CBC mode with `initialVector`, in ECB mode
    /// without one.
    func start(
        aes key: UnsafeRawBufferPointer, initialVector: [UInt8]?, _ direction: Direction
    ) throws(CryptoError) {
        let isChained = initialVector != nil
        let cipher =
            switch key.count {
            case 16: isChained ? EVP_aes_128_cbc() : EVP_aes_128_ecb()
            case 24: isChained ? EVP_aes_192_cbc() : EVP_aes_192_ecb()
            default: isChained ? EVP_aes_256_cbc() : EVP_aes_256_ecb()
            }
        let bytes = key.bindMemory(to: UInt8.self)
        guard EVP_CipherInit_ex(context, cipher, nil, bytes.baseAddress, initialVector, direction.rawValue) == 1,
            EVP_CIPHER_CTX_set_padding(context, 0) == 1
        else { throw .library(operation: "EVP_CipherInit_ex") }
    }

    /// `input` is a multiple of the block length; the result has the same length.
    func update(_ input: [UInt8]) throws(CryptoError) -> [UInt8] {
        // One block more than needed: libcrypto's documented upper bound.
        var output = [UInt8](repeating: 0, count: input.count + Int(EVP_MAX_BLOCK_LENGTH))
        var length: Int32 = 0
        guard let inputLength = Int32(exactly: input.count),
            EVP_CipherUpdate(context, &output, &length, input, inputLength) == 1, Int(length) == input.count
        else { throw .library(operation: "EVP_CipherUpdate") }
        output.removeLast(Int(EVP_MAX_BLOCK_LENGTH))
        return output
    }
}
