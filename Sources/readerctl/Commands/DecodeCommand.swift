import BERTLV
import Decoder
import Glibc

/// `readerctl decode`.
struct DecodeCommand: Command {
    /// How long input that comes in pieces is waited for before what is there is shown, in milliseconds.
    private static let patience: Int32 = 50

    let arguments: ParsedArguments
    let console: Console

    func run() async throws -> ExitStatus {
        let padding = TLVPadding(rawValue: arguments["--padding"] ?? "") ?? .zero
        let format = InputFormat(rawValue: arguments["--format"] ?? "") ?? .auto
        let options = DecodeOptions(
            padding: padding, reveal: arguments.has("--reveal"), asJSON: arguments.has("--json"))
        let decoder = Decoder(format: format, options: options)
        let console = console
        let page = OutputPage { console.write($0) }
        let operands = arguments.operands
        if operands.isEmpty || operands == ["-"] {
            return try status(decoder.run(read: Self.reading(STDIN_FILENO), page: page), "standard input")
        }
        if operands.count == 1, access(operands[0], F_OK) == 0 {
            let descriptor = open(operands[0], O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { throw CommandFailure(named: "The file '\(operands[0])' cannot be read.") }
            defer { close(descriptor) }
            return try status(
                decoder.run(read: Self.reading(descriptor), page: page), "the file '\(operands[0])'")
        }
        let text = Array(operands.joined(separator: " ").utf8)
        let isNoFile = operands.count == 1
        return try status(
            decoder.run(isText: true, isNoFile: isNoFile, read: Self.reading(text), page: page), "the command line")
    }

    private func status(_ outcome: Decoder.Outcome, _ name: String) throws(CommandFailure) -> ExitStatus {
        if outcome.failure != nil { throw CommandFailure(named: "\(name) cannot be read.") }
        return outcome.problems.isEmpty ? .done : .malformedInput
    }

    private static func reading(_ text: [UInt8]) -> DecodeInput.Read {
        var position = 0
        return { (memory, _) throws(InputFailure) in
            let count = min(memory.count, text.count - position)
            memory.copyBytes(from: text[position..<position + count])
            position += count
            return count
        }
    }

    private static func reading(_ descriptor: Int32) -> DecodeInput.Read {
        { (memory, waits) throws(InputFailure) in
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            if !waits, poll(&entry, 1, patience) == 0 { return nil }
            while true {
                let count = read(descriptor, memory.baseAddress, memory.count)
                if count >= 0 { return count }
                guard errno == EINTR else { throw InputFailure(number: errno) }
            }
        }
    }
}
