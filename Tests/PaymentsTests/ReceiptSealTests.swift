import Crypto
import EMV
import Foundation
import Glibc
import Ledger
import Testing

@testable import Payments

/// A change to a stored receipt, or to what its row says, is seen by whoever has the installation's key.
@Suite struct ReceiptSealTests {
    private static func problem(_ bed: PaymentBed, _ id: String, seal: ReceiptSeal?) async throws -> ReceiptProblem? {
        let record = try await bed.ledger.transaction(id)
        do throws(ReceiptProblem) {
            _ = try StoredReceipt(of: record, seal: seal)
            return nil
        } catch {
            return error
        }
    }

    /// Key 00 01 … 1F; name and code computed with Python's hmac module.
    @Test("the seal is HMAC-SHA256 over the text before it")
    func vector() throws {
        let key = SecretBytes([UInt8](0..<32))
        let seal = try ReceiptSeal(key: key, madeAt: 0)
        let expected = try HMACSHA256.code(for: Array("readerkit receipt\n{\"version\":2}".utf8), key: key)
        #expect(seal.check(#"{"version":2,"seal":"\#(seal.keyName):\#(hexText(expected))"}"#) == .intact)
        #expect(seal.check(#"{"version":2,"seal":"\#(seal.keyName):\#(hexText(expected.reversed()))"}"#) == .changed)
        #expect(seal.keyName == "874783D3")
        #expect(hexText(expected) == "D62AC90D05E3F03B999844A04A45D07583409D69E3AF0AB4D283030CB1C82FE0")
    }

    @Test("a stored receipt is sealed, and every changed byte of it is seen")
    func everyByte() async throws {
        let bed = try await PaymentBed()
        let id = try await bed.sale("100.00").response.transactionID
        let stored = try #require(try await bed.ledger.transaction(id).receipt)
        #expect(try StoredReceipt(of: try await bed.ledger.transaction(id), seal: bed.seal)?.isSealed == true)
        var bytes = Array(stored.utf8)
        for index in bytes.indices {
            bytes[index] ^= 0x01
            #expect(bed.seal.check(String(decoding: bytes, as: UTF8.self)) != .intact, "byte \(index)")
            bytes[index] ^= 0x01
        }
        #expect(bed.seal.check(stored) == .intact)
    }

    @Test("another amount, another sale's receipt, one without its seal, and one of an older layout are refused")
    func changed() async throws {
        let bed = try await PaymentBed(random: CountingRandom())
        let id = try await bed.sale("100.00").response.transactionID
        let other = try await bed.sale("900.00").response.transactionID
        let text = try #require(try await bed.ledger.transaction(id).receipt)
        let foreign = try #require(try await bed.ledger.transaction(other).receipt)
        let body = try #require(text.components(separatedBy: ",\"seal\"").first) + "}"
        let old =
            try #require(body.components(separatedBy: ",\"test\"").first)
            .replacing("\"version\":2", with: "\"version\":1") + "}"
        let cases: [(String, ReceiptProblem)] = [
            (text.replacing("100.00", with: "999.00"), .changed), (body, .changed), (old, .changed),
            ("{}", .unreadable),
            (foreign, .contradictsRow([])),
        ]
        for (stored, expected) in cases {
            try await bed.ledger.tamper("UPDATE transactions SET receipt = '\(stored)' WHERE id = '\(id)'")
            let found = try await Self.problem(bed, id, seal: bed.seal)
            if case .contradictsRow(let columns) = found {
                #expect(columns.contains("id") && columns.contains("amount"))
                guard case .contradictsRow = expected else {
                    Issue.record("\(expected) was expected")
                    continue
                }
            } else {
                #expect(found == expected)
            }
        }
    }

    @Test(
        "what the row says otherwise is named",
        arguments: [
            ("amount = 99999", "amount"), ("tip = 1", "tip"), ("last_four = '9999'", "last_four"),
            ("authorisation = 'XXXXXX'", "authorisation"), ("state = 'declined'", "state"),
            ("currency = 840", "currency"),
            ("msi = 3", "msi"), ("card_brand = 'AMEX'", "card_brand"), ("reference = 'x'", "reference"),
            ("response_code = '05'", "response_code"), ("state = 'reversed'", "state"), ("state = 'voided'", "state"),
            ("outcome = 'declined'", "outcome"), ("entry_mode = 'magneticStripe'", "entry_mode"),
            ("aid = 'A0000000041010'", "aid"), ("approved_amount = 99999", "approved_amount"),
        ])
    func row(change: String, column: String) async throws {
        let bed = try await PaymentBed()
        let id = try await bed.sale("100.00", details: RequestDetails(reference: "Mesa 7")).response.transactionID
        #expect(try await Self.problem(bed, id, seal: bed.seal) == nil)
        try await bed.ledger.tamper("UPDATE transactions SET \(change) WHERE id = '\(id)'")
        let found = try await Self.problem(bed, id, seal: bed.seal)
        #expect(found == .contradictsRow([column]))
        #expect(found?.sentence.contains(column) == true)
    }

    @Test("refunds, settlement and a void do not break a receipt")
    func later() async throws {
        let bed = try await PaymentBed(random: CountingRandom())
        let sale = try await bed.approvedSale("100.00")
        let part = try await bed.refund(sale, "40.00").response.transactionID
        #expect(try await Self.problem(bed, sale, seal: bed.seal) == nil)
        let rest = try await bed.refund(sale).response.transactionID
        let settled = try await bed.approvedSale("5.00")
        _ = try await bed.ledger.advance(
            settled, from: [PaymentState.approved.name], to: PaymentState.settled.name, at: PaymentBed.noon)
        let voided = try await bed.approvedSale("6.00")
        _ = await bed.pipeline.void(voided)
        #expect(try await bed.state(voided) == "voided")
        for id in [sale, part, rest, settled, voided] {
            let found = try await Self.problem(bed, id, seal: bed.seal)
            #expect(found == nil, "\(id)")
        }
        // A void's receipt belongs to a voided sale.
        try await bed.ledger.tamper("UPDATE transactions SET state = 'approved' WHERE id = '\(voided)'")
        #expect(try await Self.problem(bed, voided, seal: bed.seal) == .contradictsRow(["state"]))
    }

    @Test("a changed receipt is not sealed anew by a void")
    func voidOfChanged() async throws {
        let bed = try await PaymentBed(random: CountingRandom())
        let sale = try await bed.approvedSale("100.00")
        try await bed.ledger.tamper(
            "UPDATE transactions SET receipt = replace(receipt, '100.00', '10.00') WHERE id = '\(sale)'")
        _ = await bed.pipeline.void(sale)
        #expect(try await bed.state(sale) == "voided")
        #expect(try await Self.problem(bed, sale, seal: bed.seal) == .changed)
    }

    @Test("without the key, or with another, a sealed receipt is not shown; one from before there was a key is")
    func keys() async throws {
        let bed = try await PaymentBed()
        let id = try await bed.sale("100.00").response.transactionID
        #expect(try await Self.problem(bed, id, seal: nil) == .noKey)
        let other = try ReceiptSeal(key: SecretBytes([UInt8](repeating: 1, count: 32)), madeAt: PaymentBed.noon)
        #expect(try await Self.problem(bed, id, seal: other) == .otherKey)
        var record = try await bed.ledger.transaction(id)
        let body = try #require(record.receipt?.components(separatedBy: ",\"test\"").first) + "}"
        record.receipt = body.replacing("\"version\":2", with: "\"version\":1")
        let later = try ReceiptSeal(key: SecretBytes([1]), madeAt: PaymentBed.noon + 1)
        #expect(try StoredReceipt(of: record, seal: later)?.isSealed == false)
        #expect(try StoredReceipt(of: record, seal: nil)?.isSealed == false)
    }

    @Test("the key is made once, for its owner only, and found again")
    func keyFile() async throws {
        let directory = try PaymentDirectory()
        let file = ReceiptKeyFile(dataDirectory: directory.path)
        #expect(try file.openExisting() == nil)
        let names = await withTaskGroup(of: String.self) { group in
            for _ in 0..<16 {
                group.addTask { (try? file.open(now: 5, random: SystemRandomSource()).keyName) ?? "none" }
            }
            return await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(names.count == 1 && !names.contains("none"))
        #expect(try file.openExisting()?.keyName == names.first)
        #expect(try file.openExisting()?.madeAt == 5)
        var status = stat()
        #expect(stat(file.path, &status) == 0 && status.st_mode & 0o777 == 0o600)
    }

    @Test("a key that others can reach, that is none, or that is no file stops payments and says what to do")
    func badKeyFile() throws {
        let directory = try PaymentDirectory()
        let file = ReceiptKeyFile(dataDirectory: directory.path)
        _ = try file.open(now: 5, random: SystemRandomSource())
        chmod(file.path, 0o644)
        #expect(throws: ReceiptKeyError.self) { try file.openExisting() }
        unlink(file.path)
        for content in ["", "x\n", String(repeating: "0", count: 64), String(repeating: "G", count: 64) + " 5\n"] {
            let descriptor = open(file.path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
            _ = content.withCString { write(descriptor, $0, content.utf8.count) }
            close(descriptor)
            let error = #expect(throws: ReceiptKeyError.self) {
                try file.open(now: 5, random: SystemRandomSource())
            }
            #expect(error?.sentence.contains("from a backup") == true)
        }
        unlink(file.path)
        symlink("/dev/null", file.path)
        #expect(throws: ReceiptKeyError.self) { try file.open(now: 5, random: SystemRandomSource()) }
    }
}
