import SeededInput

extension SeededNumbers {
    mutating func octets(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: next() >> 32) }
    }
}

func hex(_ octets: some Collection<UInt8>) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    return String(decoding: octets.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 0x0F)]] }, as: UTF8.self)
}
