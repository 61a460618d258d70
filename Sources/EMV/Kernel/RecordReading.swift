import BERTLV
import Crypto

/// Reads the records that the AFL names (Book 3, 10.2) and checks that what the kernel needs is there.
struct RecordReading: Sendable {
    enum Step: Sendable {
        case transmit(CommandAPDU)
        case done
        case cardError(String)
    }

    private let records: [ApplicationFileLocator.Record]
    private var index = 0

    init(_ locator: ApplicationFileLocator) {
        records = locator.records
    }

    func start() -> Step {
        read()
    }

    mutating func receive(_ response: ResponseAPDU, _ context: inout TransactionContext) -> Step {
        guard response.status.isSuccess else { return .cardError("READ RECORD answered \(response.status)") }
        if let complaint = store(response.data, from: records[index], into: &context) { return .cardError(complaint) }
        index += 1
        return index < records.count ? read() : Self.checkMandatory(context)
    }

    private func read() -> Step {
        let record = records[index]
        return .transmit(
            CommandAPDU(cla: 0, ins: 0xB2, p1: record.number, p2: record.file << 3 | 0x04, expectedLength: 256))
    }

    /// SFI 1 to 10: exactly one 70. SFI 11 to 30 belong to the payment system; only a 70 is interpreted there.
    private func store(
        _ data: [UInt8], from record: ApplicationFileLocator.Record, into context: inout TransactionContext
    ) -> String? {
        context.staticData.add(data, from: record)
        guard let template = SoleObject(parsing: data), template.tag == .recordTemplate else {
            return record.file <= 10 ? "record \(record.file)/\(record.number) is not one template 70" : nil
        }
        let answer = SecretBytes(data)
        for object in template.children where !object.tag.isConstructed && !object.valueRange.isEmpty {
            guard context.card.add(object.tag, object.valueRange, of: answer) else {
                return "object \(object.tag) is there twice"
            }
        }
        return nil
    }

    /// Table 28 of Book 3: without these the transaction cannot go on.
    private static func checkMandatory(_ context: TransactionContext) -> Step {
        for tag in [Tag.primaryAccountNumber, .applicationExpirationDate, .cdol1, .cdol2]
        where !context.card.contains(tag) {
            return .cardError("mandatory object \(tag) is missing")
        }
        for tag in [Tag.cdol1, .cdol2] {
            guard let value = context.card[tag], (try? DataObjectList(parsing: value)) != nil else {
                return .cardError("object \(tag) is malformed")
            }
        }
        guard let number = context.card[.primaryAccountNumber], PAN(compressedNumeric: number) != nil else {
            return .cardError("the account number is malformed")
        }
        guard let expiry = context.card[.applicationExpirationDate], CardDate(bcd: expiry) != nil else {
            return .cardError("the expiration date is malformed")
        }
        return .done
    }
}
