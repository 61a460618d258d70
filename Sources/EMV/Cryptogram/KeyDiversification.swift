import Crypto

/// Encrypts two blocks into the two halves of a new key, with odd parity, as EMV's derivations all do.
func diversify(_ key: SecretBytes, left: [UInt8], right: [UInt8]) throws(CryptogramError) -> SecretBytes {
    try wrapping { () throws(CryptoError) in
        let cipher = try TripleDES(key: key)
        var halves = try cipher.encryptBlock(left) + cipher.encryptBlock(right)
        defer { wipe(&halves) }
        setOddParity(&halves)
        return SecretBytes(halves)
    }
}

/// Sets the lowest bit of each byte so that the byte has an odd number of ones, the form in which DES keys are compared.
func setOddParity(_ key: inout [UInt8]) {
    for index in key.indices where key[index].nonzeroBitCount % 2 == 0 {
        key[index] ^= 1
    }
}
