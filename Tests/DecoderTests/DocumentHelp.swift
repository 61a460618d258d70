import BERTLV
import Decoder

/// The whole output of the decoder, and its problems' codes.
func document(
    _ input: [UInt8], isText: Bool = false, format: InputFormat = .auto, padding: TLVPadding = .zero,
    reveal: Bool = false, asJSON: Bool = false, pieceSize: Int = 1 << 16
) -> (text: String, codes: [String]) {
    var output: [UInt8] = []
    let page = OutputPage { output += $0 }
    var position = 0
    let outcome = Decoder(
        format: format, options: DecodeOptions(padding: padding, reveal: reveal, asJSON: asJSON)
    ).run(
        isText: isText,
        read: { (memory, _) throws(InputFailure) in
            let count = min(memory.count, input.count - position, pieceSize)
            memory.copyBytes(from: input[position..<position + count])
            position += count
            return count
        }, page: page)
    return (String(decoding: output, as: UTF8.self), outcome.problems.map(\.code.rawValue))
}

func textDocument(_ hex: String, format: InputFormat = .auto, padding: TLVPadding = .zero) -> (
    text: String, codes: [String]
) {
    document(Array(hex.utf8), isText: true, format: format, padding: padding)
}

func jsonDocument(_ hex: String, format: InputFormat = .auto) -> (text: String, codes: [String]) {
    document(Array(hex.utf8), isText: true, format: format, asJSON: true)
}
