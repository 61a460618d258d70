/// Why input cannot be read on.
public struct InputFailure: Error, Sendable, Hashable {
    /// `errno`.
    public var number: Int32

    public init(number: Int32) {
        self.number = number
    }
}

/// A stretch of the input in memory that moves forward: what was decoded is dropped, what is needed is read.
public struct DecodeInput {
    /// Puts the next bytes into the memory given: how many, 0 at the end, nil when `waits` is false and none are there.
    public typealias Read = (UnsafeMutableRawBufferPointer, _ waits: Bool) throws(InputFailure) -> Int?

    /// What is read at once, and the size up to which objects are seen together.
    static let windowSize = 256 << 10

    private(set) var storage: [UInt8]
    private(set) var count: Int
    /// Where the storage's first byte stands in the input.
    private(set) var base = 0
    private(set) var isAtEnd: Bool
    private(set) var failure: InputFailure?
    private let read: Read?

    /// Set when the input is hex digits.
    private var hex: HexInput?
    private var characters: [UInt8] = []

    /// All of the input at once.
    /// - Parameter base: what is added to offsets.
    public init(_ bytes: [UInt8], base: Int = 0) {
        storage = bytes
        self.base = base
        count = bytes.count
        isAtEnd = true
        read = nil
    }

    /// - Parameter isHex: what is read is text of hex digits.
    public init(isHex: Bool = false, read: @escaping Read) {
        storage = [UInt8](repeating: 0, count: Self.windowSize)
        count = 0
        isAtEnd = false
        self.read = read
        if isHex {
            hex = HexInput()
            characters = [UInt8](repeating: 0, count: Self.windowSize)
        }
    }

    /// The text could have been the name of a file, and there is none.
    var isNoFile = false

    /// What is wrong with the text, if it is one.
    var problems: [DecodeReport.Problem] {
        guard var problem = hex?.problem else { return [] }
        if isNoFile, problem.code == .invalidDigit { problem.message += ", and there is no file of that name" }
        return [problem]
    }

    /// Drops what stands before the place, and reads until `needed` bytes are there or the input ends; more if it comes
    /// without waiting.
    mutating func advance(dropping place: Int, needed: Int) {
        if place > 0 {
            let rest = count - place
            storage.withUnsafeMutableBytes { memory in
                guard let start = memory.baseAddress else { return }
                start.copyMemory(from: start + place, byteCount: rest)
            }
            count = rest
            base += place
        }
        if isAtEnd { return }
        if storage.count < needed { storage += repeatElement(0, count: needed - storage.count) }
        while !isAtEnd, count < storage.count, let got = fill(waits: count < needed), got > 0 {}
    }

    /// Drops what stands before the place and then so many bytes more, which need not be in memory.
    mutating func skip(to place: Int, and more: UInt64) {
        var left = more
        var drop = place + Int(min(UInt64(count - place), left))
        left -= UInt64(drop - place)
        advance(dropping: drop, needed: 0)
        while left > 0, count > 0 || !isAtEnd {
            advance(dropping: 0, needed: 1)
            drop = Int(min(UInt64(count), left))
            left -= UInt64(drop)
            advance(dropping: drop, needed: 0)
        }
    }

    private mutating func fill(waits: Bool) -> Int? {
        guard let read else {
            isAtEnd = true
            return 0
        }
        if hex != nil { return fillFromHex(waits: waits, read) }
        let start = count
        let result: Result<Int?, InputFailure> = storage.withUnsafeMutableBytes { memory in
            do throws(InputFailure) {
                return .success(try read(UnsafeMutableRawBufferPointer(rebasing: memory[start...]), waits))
            } catch {
                return .failure(error)
            }
        }
        switch result {
        case .success(let got):
            if got == 0 { isAtEnd = true }
            count += got ?? 0
            return got
        case .failure(let failure):
            self.failure = failure
            isAtEnd = true
            return 0
        }
    }

    private mutating func fillFromHex(waits: Bool, _ read: Read) -> Int? {
        let room = min(characters.count, (storage.count - count) * 2)
        let result: Result<Int?, InputFailure> = characters.withUnsafeMutableBytes { memory in
            do throws(InputFailure) {
                return .success(try read(UnsafeMutableRawBufferPointer(rebasing: memory[..<room]), waits))
            } catch {
                return .failure(error)
            }
        }
        guard case .success(let got) = result, var input = hex else {
            if case .failure(let failure) = result { self.failure = failure }
            isAtEnd = true
            return 0
        }
        if got == 0 { input.finish() }
        var end = count
        for position in 0..<(got ?? 0) {
            if let byte = input.take(characters[position]) {
                storage[end] = byte
                end += 1
            }
        }
        count = end
        if got == 0 || input.problem != nil { isAtEnd = true }
        hex = input
        return got
    }
}
