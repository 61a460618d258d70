/// Numbers as sysfs and udev write them.
enum FixedWidth {
    static func hexadecimal(_ value: some BinaryInteger, digits: Int, uppercase: Bool = false) -> String {
        padded(String(value, radix: 16, uppercase: uppercase), to: digits)
    }

    static func decimal(_ value: some BinaryInteger, digits: Int) -> String {
        padded(String(value), to: digits)
    }

    private static func padded(_ text: String, to digits: Int) -> String {
        String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}
