import Crypto
import Foundation
import Gateways
import Ledger
import Payments
import Testing
import Transport

/// What waits for the host is on disk under its key only.
@Suite struct OfflineSecrecyTests {
    private static func contents(of kiosk: OfflineBed) throws -> [(name: String, bytes: Data)] {
        try FileManager.default.subpathsOfDirectory(atPath: kiosk.bed.directory.path).compactMap { name in
            FileManager.default.contents(atPath: kiosk.bed.directory.path + "/" + name).map { (name, $0) }
        }
    }

    private static func forward(_ kiosk: OfflineBed, key: SecretBytes?) async throws -> Resolution? {
        let other = try kiosk.otherProgram(key: key)
        defer { other.owner.end() }
        return try await Recovery(other).run(.all, until: .after(.seconds(600), on: kiosk.bed.clock)).first
    }

    @Test("no file holds the card's number while it waits; what was sealed is gone when it is forwarded")
    func onDisk() async throws {
        let kiosk = try await OfflineBed()
        let id = try await kiosk.storedSale("100.00")
        let sealed = Data(try #require(try await kiosk.bed.ledger.storedPayment(id)).sealed)
        #expect(sealed.count > 100)
        let waiting = try Self.contents(of: kiosk)
        #expect(waiting.contains { $0.bytes.range(of: sealed) != nil }, "the search would find it")
        for (name, bytes) in waiting { #expect(!CardNumberScan.finds(inFile: bytes), "\(name)") }
        // Field 55 of the advice begins with the cryptogram: it is not readable either.
        let receipt = try #require(try await kiosk.record(id).receipt.flatMap(Receipt.init(json:)))
        let cryptogram = try #require(receipt.chip?.cryptogram)
        let raw = Data(
            stride(from: 0, to: 16, by: 2).compactMap { UInt8(cryptogram.dropFirst($0).prefix(2), radix: 16) })
        for (name, bytes) in waiting { #expect(bytes.range(of: raw) == nil, "\(name)") }
        kiosk.restore()
        try await kiosk.recover()
        await kiosk.bed.ledger.close()
        for (name, bytes) in try Self.contents(of: kiosk) {
            #expect(!CardNumberScan.finds(inFile: bytes), "\(name)")
            #expect(bytes.range(of: sealed) == nil && bytes.range(of: sealed.dropFirst(21)) == nil, "\(name)")
        }
    }

    @Test("another key, or none: it is told which, nothing is lost, and the right key forwards it")
    func keys() async throws {
        let kiosk = try await OfflineBed()
        let id = try await kiosk.storedSale("100.00")
        kiosk.restore()
        let other = try await Self.forward(kiosk, key: SecretBytes([UInt8](repeating: 0xA8, count: 32)))
        #expect(other?.isOpen == true)
        #expect(
            other?.reason
                == "it is sealed with another key than that of offline.keyFile: put the earlier key back")
        let none = try await Self.forward(kiosk, key: nil)
        #expect(none?.isOpen == true && none?.reason == "there is no key to open it with: set offline.keyFile")
        #expect(kiosk.advices == 0)
        #expect(try await Self.forward(kiosk, key: OfflineBed.key)?.isOpen == false)
        #expect(try await kiosk.record(id).offline == .forwarded && kiosk.booked == 100_00)
    }

    @Test(
        "a row that was changed, or moved to another sale, is not sent",
        arguments: [
            "UPDATE stored_payments SET sealed = CAST(substr(sealed, 1, 60) || x'00' || substr(sealed, 62) AS BLOB)",
            "UPDATE stored_payments SET sealed = substr(sealed, 1, 25)",
            "UPDATE stored_payments SET sealed = CAST(x'02' || substr(sealed, 2) AS BLOB)",
            "UPDATE stored_payments SET sealed = x''",
            "UPDATE transactions SET amount = amount + 1",
            "UPDATE transactions SET attempt_id = 'other'",
        ])
    func tampered(statement: String) async throws {
        let kiosk = try await OfflineBed()
        let id = try await kiosk.storedSale("100.00")
        kiosk.restore()
        try await kiosk.bed.ledger.tamper(statement)
        let resolution = try #require(try await kiosk.recover().first)
        #expect(resolution.isOpen)
        #expect(resolution.reason == "its stored data were changed, so it cannot be sent: ask the acquirer")
        #expect(kiosk.advices == 0 && kiosk.booked == 0)
        #expect(try await kiosk.bed.ledger.storedPayment(id) != nil)
    }

    @Test("only a key of 32 bytes is one", arguments: [0, 16, 31, 33])
    func keyLength(count: Int) {
        #expect(OfflineSettings(key: SecretBytes([UInt8](repeating: 1, count: count)), approvals: nil) == nil)
    }
}
