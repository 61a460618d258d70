/// Decodes an input of any length to text or JSON.
public struct Decoder {
    /// How it went.
    public struct Outcome: Sendable, Hashable {
        public var problems: [DecodeReport.Problem]
        /// The input could not be read to its end.
        public var failure: InputFailure?
    }

    /// As much of the input as is looked at to tell what it is.
    private static let headSize = 64 << 10

    private let format: InputFormat
    private let options: DecodeOptions

    public init(format: InputFormat, options: DecodeOptions) {
        self.format = format
        self.options = options
    }

    /// - Parameters:
    ///   - isText: the input is known to be text, such as operands of the command line.
    ///   - isNoFile: the text could have been the name of a file, and there is none: to be told if it is no hex.
    ///   - read: gives the input's bytes.
    public func run(isText: Bool = false, isNoFile: Bool = false, read: @escaping DecodeInput.Read, page: OutputPage)
        -> Outcome
    {
        var head = HeadReader(read: read)
        head.load(Self.headSize)
        if head.bytes.isEmpty, let failure = head.failure { return Outcome(problems: [], failure: failure) }
        let kind = InputKind(head.bytes)
        let isHex = isText || kind == .hex
        let format = resolve(head.bytes, isHex: isHex, isText: isHex || kind == .text)
        switch format {
        case .apdu:
            var input = LineInput(read: head.rest)
            let problems = APDUDocument.write(&input, options, page)
            return Outcome(problems: problems, failure: input.failure)
        case .ccid, .neo2, .qpos, .mpi:
            var input = DecodeInput(isHex: isHex, read: head.rest)
            input.isNoFile = isNoFile
            let problems = frames(&input, format, page)
            return Outcome(problems: problems, failure: input.failure)
        default:
            var input = DecodeInput(isHex: isHex, read: head.rest)
            input.isNoFile = isNoFile
            let problems = TLVDocument.write(&input, options, page)
            return Outcome(problems: problems, failure: input.failure)
        }
    }

    private func resolve(_ head: [UInt8], isHex: Bool, isText: Bool) -> InputFormat {
        guard format == .auto else { return format }
        if isText, APDULog.isLikely(head) { return .apdu }
        let bytes = isHex ? HexInput.parse(head).bytes : head
        // The strongest mark first: ten header bytes, then check bytes with lengths, then lengths alone.
        if NEO2Codec().isLikely(bytes) { return .neo2 }
        if QPOSCodec().isLikely(bytes) { return .qpos }
        if MPICodec().isLikely(bytes) { return .mpi }
        return CCIDCodec().isLikely(bytes) ? .ccid : .tlv
    }

    private func frames(_ input: inout DecodeInput, _ format: InputFormat, _ page: OutputPage)
        -> [DecodeReport.Problem]
    {
        switch format {
        case .neo2: FrameDocument.write(&input, NEO2Codec(), options, page)
        case .qpos: FrameDocument.write(&input, QPOSCodec(), options, page)
        case .mpi: FrameDocument.write(&input, MPICodec(), options, page)
        default: FrameDocument.write(&input, CCIDCodec(), options, page)
        }
    }
}

/// Reads the beginning of an input to look at, and gives it again to who reads on.
private struct HeadReader {
    private(set) var bytes: [UInt8] = []
    private(set) var failure: InputFailure?
    private let read: DecodeInput.Read

    init(read: @escaping DecodeInput.Read) {
        self.read = read
    }

    /// Waits for the first bytes, and takes what more comes without waiting.
    mutating func load(_ limit: Int) {
        var piece = [UInt8](repeating: 0, count: limit)
        while bytes.count < limit {
            let room = limit - bytes.count
            let waits = bytes.count < 64
            let read = read
            let result: Result<Int?, InputFailure> = piece.withUnsafeMutableBytes { memory in
                do throws(InputFailure) {
                    return .success(try read(UnsafeMutableRawBufferPointer(rebasing: memory[..<room]), waits))
                } catch {
                    return .failure(error)
                }
            }
            guard case .success(let got) = result, let got, got > 0 else {
                if case .failure(let error) = result { failure = error }
                return
            }
            bytes += piece[..<got]
        }
    }

    /// What was looked at, then the rest.
    var rest: DecodeInput.Read {
        var position = 0
        let (bytes, failure, read) = (bytes, failure, read)
        return { (memory, waits) throws(InputFailure) in
            if position < bytes.count {
                let count = min(memory.count, bytes.count - position)
                memory.copyBytes(from: bytes[position..<position + count])
                position += count
                return count
            }
            if let failure { throw failure }
            return try read(memory, waits)
        }
    }
}
