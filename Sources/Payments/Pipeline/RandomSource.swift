/// Where unpredictable numbers and ids come from. Injected, so that a test can repeat a payment.
public protocol RandomSource: Sendable {
    func bytes(_ count: Int) -> [UInt8]
}

/// The operating system's generator.
public struct SystemRandomSource: RandomSource {
    public init() {}

    public func bytes(_ count: Int) -> [UInt8] {
        // Each number of the generator is a call of the system.
        var generator = SystemRandomNumberGenerator()
        var number: UInt64 = 0
        return (0..<count).map { index in
            number = index % 8 == 0 ? generator.next() : number >> 8
            return UInt8(truncatingIfNeeded: number)
        }
    }
}
