import BERTLV
import Crypto
import EMV

/// What `readerctl cryptogram verify` is given. None of its errors repeats any of it: keys and card numbers are secret.
struct CryptogramInput {
    /// Bytes of chip data that are looked at; field 55 holds 255, a whole transaction's objects some thousand.
    static let largestData = 64 << 10

    let data: TLVTree
    let masterKey: SecretBytes
    /// Nil when it was not told: the card's cryptogram then says enough.
    let derivation: CardKeyDerivation?
    let pan: PAN
    let sequence: UInt8?

    /// `operands` are those behind `verify`.
    init(_ arguments: ParsedArguments, operands: [String]) throws(CommandFailure) {
        masterKey = try Self.masterKey(arguments)
        data = try Self.data(operands)
        derivation =
            switch arguments["--derivation"] {
            case "a": .optionA
            case "b": .optionB
            case "c": .optionC
            default: nil
            }
        pan = try Self.pan(arguments["--pan"], data)
        sequence = try Self.sequence(arguments["--psn"], data)
    }

    private static func masterKey(_ arguments: ParsedArguments) throws(CommandFailure) -> SecretBytes {
        var text: [UInt8]
        switch (arguments["--imk"], arguments["--imk-file"]) {
        case (let given?, nil): text = Array(given.utf8)
        case (nil, let file?): text = try InputFile.read(file, limit: 1024)
        default:
            throw CommandFailure(.usage, "Give the issuer master key by one of --imk-file and --imk.")
        }
        defer { wipe(&text) }
        guard var key = HexDigits.bytes(of: text) else {
            throw CommandFailure(.usage, keyLengths)
        }
        defer { wipe(&key) }
        guard CryptogramCipher.allCases.contains(where: { $0.keyLengths.contains(key.count) }) else {
            throw CommandFailure(.usage, keyLengths)
        }
        return SecretBytes(key)
    }

    private static let keyLengths = "The issuer master key is 32 hex digits; an AES key may have 48 or 64."

    private static func data(_ operands: [String]) throws(CommandFailure) -> TLVTree {
        let bytes: [UInt8]?
        let name = operands.first ?? "-"
        if operands.count <= 1, name == "-" || InputFile.exists(name) {
            let content = try InputFile.read(name, limit: largestData)
            // Text of nothing but digits is read as such; anything else is the data itself.
            bytes = HexDigits.bytes(of: content) ?? content
        } else {
            bytes = HexDigits.bytes(of: operands.joined(separator: " ").utf8)
        }
        guard let bytes, !bytes.isEmpty, bytes.count <= largestData else {
            throw CommandFailure(.malformedInput, "The chip data are neither a file nor pairs of hex digits.")
        }
        let tree = TLVTree(parsing: bytes)
        guard tree.isClean else { throw CommandFailure(.malformedInput, "The chip data are not well-formed TLV.") }
        return tree
    }

    /// As told, else as the chip data say: field 55 itself has no PAN, the objects of a whole transaction have.
    private static func pan(_ text: String?, _ data: TLVTree) throws(CommandFailure) -> PAN {
        guard let text else {
            if let pan = data.first(0x5A).flatMap({ PAN(compressedNumeric: $0) }) { return pan }
            if let pan = data.first(0x57).flatMap({ PAN(track2Equivalent: $0) }) { return pan }
            throw CommandFailure(.usage, "The chip data hold no PAN: give it with --pan.")
        }
        var digits = text.utf8.map { $0 &- UInt8(ascii: "0") }
        defer { wipe(&digits) }
        guard let pan = PAN(digits: digits) else { throw CommandFailure(.usage, "A PAN is 8 to 19 digits.") }
        return pan
    }

    private static func sequence(_ text: String?, _ data: TLVTree) throws(CommandFailure) -> UInt8? {
        guard let text else {
            guard let value = data.first(0x5F34) else { return nil }
            guard value.count == 1, value[0] >> 4 < 10, value[0] & 0x0F < 10 else {
                throw CommandFailure(.malformedInput, "The PAN sequence number (5F34) is not two digits.")
            }
            return (value[0] >> 4) * 10 + (value[0] & 0x0F)
        }
        guard (1...3).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let number = UInt8(text), number <= 99
        else { throw CommandFailure(.usage, "A PAN sequence number is 0 to 99.") }
        return number
    }
}
