internal import COpenSSL

extension CipherContext {
    func start(aes256GCM key: SecretBytes, nonce: [UInt8], _ direction: Direction) throws(CryptoError) {
        let started = key.withBytes { key in
            let bytes = key.bindMemory(to: UInt8.self)
            return EVP_CipherInit_ex(context, EVP_aes_256_gcm(), nil, bytes.baseAddress, nonce, direction.rawValue) == 1
        }
        guard started else { throw .library(operation: "EVP_CipherInit_ex") }
    }

    /// Data that is not encrypted, but must not change either.
    func authenticate(_ data: [UInt8]) throws(CryptoError) {
        guard !data.isEmpty else { return }
        var length: Int32 = 0
        guard let count = Int32(exactly: data.count), EVP_CipherUpdate(context, nil, &length, data, count) == 1 else {
            throw .library(operation: "EVP_CipherUpdate")
        }
    }

    /// As many bytes out as in.
    func stream(_ input: [UInt8]) throws(CryptoError) -> [UInt8] {
        guard !input.isEmpty else { return [] }
        var output = [UInt8](repeating: 0, count: input.count)
        var length: Int32 = 0
        guard let count = Int32(exactly: input.count),
            EVP_CipherUpdate(context, &output, &length, input, count) == 1, Int(length) == input.count
        else { throw .library(operation: "EVP_CipherUpdate") }
        return output
    }

    func tag() throws(CryptoError) -> [UInt8] {
        var tag = [UInt8](repeating: 0, count: AES256GCM.tagLength)
        var length: Int32 = 0
        guard EVP_CipherFinal_ex(context, &tag, &length) == 1,
            EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(tag.count), &tag) == 1
        else { throw .library(operation: "EVP_CipherFinal_ex") }
        return tag
    }

    func verifies(_ tag: [UInt8]) throws(CryptoError) -> Bool {
        var (tag, last, length) = (tag, [UInt8](repeating: 0, count: AES256GCM.tagLength), Int32(0))
        guard EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(tag.count), &tag) == 1 else {
            throw .library(operation: "EVP_CIPHER_CTX_ctrl")
        }
        return EVP_CipherFinal_ex(context, &last, &length) == 1
    }
}
