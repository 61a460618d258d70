/// The name of an application as a reader tells it, made printable: `?` for what is not ASCII, at most 32 characters.
func printableLabel(_ bytes: [UInt8]) -> String {
    let characters = bytes.prefix(32).map { (0x20...0x7E).contains($0) ? $0 : UInt8(ascii: "?") }
    return String(decoding: characters, as: UTF8.self)
}
