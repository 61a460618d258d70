/// Two digits a byte. The separator of a track is the nibble D.
enum PackedDigits {
    /// Nil when a character is neither a digit nor a separator.
    static func pack(_ characters: [UInt8], _ filler: OddFiller) -> [UInt8]? {
        var nibbles: [UInt8] = []
        nibbles.reserveCapacity(characters.count + 1)
        for character in characters {
            switch character {
            case 0x30...0x39: nibbles.append(character - 0x30)
            case 0x3D, 0x44: nibbles.append(0x0D)
            default: return nil
            }
        }
        if !nibbles.count.isMultiple(of: 2) { nibbles.insert(filler.nibble, at: filler.isLeft ? 0 : nibbles.count) }
        return stride(from: 0, to: nibbles.count, by: 2).map { nibbles[$0] << 4 | nibbles[$0 + 1] }
    }

    enum Fault: Error {
        case filler, character
    }

    /// ASCII characters of `count` nibbles out of `bytes`, which hold one more when `count` is odd.
    static func unpack(_ bytes: ArraySlice<UInt8>, count: Int, _ filler: OddFiller) throws(Fault) -> [UInt8] {
        var nibbles = bytes.flatMap { [$0 >> 4, $0 & 0x0F] }
        if !count.isMultiple(of: 2) {
            guard let fill = filler.isLeft ? nibbles.first : nibbles.last, fill == filler.nibble else { throw .filler }
            nibbles.remove(at: filler.isLeft ? 0 : nibbles.count - 1)
        }
        var characters: [UInt8] = []
        characters.reserveCapacity(nibbles.count)
        for nibble in nibbles {
            switch nibble {
            case 0...9: characters.append(0x30 + nibble)
            case 0x0D: characters.append(0x3D)
            default: throw .character
            }
        }
        return characters
    }
}

/// Hexadecimal digits, upper case when written, any case when read.
package enum HexDigits {
    package static func encode(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        bytes.flatMap { [digit($0 >> 4), digit($0 & 0x0F)] }
    }

    /// Nil when the digits are odd in number or not hexadecimal.
    package static func decode(_ digits: [UInt8]) -> [UInt8]? {
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 2)
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = value(digits[index]), let low = value(digits[index + 1]) else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    private static func digit(_ nibble: UInt8) -> UInt8 {
        nibble < 10 ? 0x30 + nibble : 0x37 + nibble
    }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case 0x30...0x39: digit - 0x30
        case 0x41...0x46: digit - 0x37
        case 0x61...0x66: digit - 0x57
        default: nil
        }
    }
}
