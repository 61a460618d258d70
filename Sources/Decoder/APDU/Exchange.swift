import BERTLV
import EMV

/// One command, its response, and what the list it was built from says.
struct Exchange {
    var command: APDULog.Piece
    var response: APDULog.Piece?
    var layout: CommandLayout?
    var name: String
    var fields: [CardSession.Field] = []
    /// Nothing of the command's data may be shown.
    var isSecret: Bool

    init(command: APDULog.Piece, response: APDULog.Piece?) {
        self.command = command
        self.response = response
        let bytes = command.bytes
        layout = CommandLayout(bytes)
        let known = bytes.count >= 2 ? CommandName.name(cla: bytes[0], ins: bytes[1]) : nil
        name = known ?? "unknown command"
        isSecret = bytes.count >= 2 && CommandName.isSecret(ins: bytes[1])
    }

    var ins: UInt8 { command.bytes.count >= 2 ? command.bytes[1] : 0 }

    var data: [UInt8] { layout.map { Array(command.bytes[$0.data]) } ?? Array(command.bytes.dropFirst(4)) }

    var status: StatusWord? { response.flatMap { ResponseAPDU(bytes: $0.bytes)?.status } }

    var responseData: [UInt8] { Array(response?.bytes.dropLast(2) ?? []) }

    /// What the reference control parameter says, for people: the cryptogram asked for, the record.
    var remark: String? {
        let bytes = command.bytes
        guard bytes.count >= 4 else { return nil }
        switch (name, bytes[2], bytes[3]) {
        case ("GENERATE AC", let type, _):
            let names = ["AAC", "TC", "ARQC", "reserved"]
            return "asks for " + names[Int(type >> 6)] + (type & 0x10 != 0 ? ", with CDA signature" : "")
                + (type & 0x08 != 0 ? ", with XDA signature" : "")
        case ("READ RECORD", let record, let file): return "SFI \(file >> 3), record \(record)"
        case ("SELECT", _, let next): return next & 0x03 == 0x02 ? "next occurrence" : nil
        case ("GET DATA", let high, let low):
            let tag = high == 0 ? Tag(UInt64(low)) : Tag(UInt64(high) << 8 | UInt64(low))
            return "\(tag) \(DataDictionary.name(of: tag))"
        case ("VERIFY", _, let kind): return kind == 0x88 ? "enciphered PIN" : "plaintext PIN"
        default: return nil
        }
    }
}
