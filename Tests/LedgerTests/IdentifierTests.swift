import Testing

@testable import Ledger

@Suite struct IdentifierTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private let rule = IdentifierRule.once(scope: "shop", digest: digest)

    @Test func aFreeIdentifierIsUsedAgainAndAgain() async throws {
        let ledger = try await Ledger.open(directory: directory.path)
        for id in ["t1", "t2"] {
            let beginning = try await ledger.begin(newSale(id, identifier: "order"), at: start)
            #expect(beginning == .begun(try await ledger.transaction(id)))
            #expect(beginning.record.identifierScope == "" && beginning.record.requestDigest == nil)
        }
        #expect(try await ledger.begin(newSale("t3", identifier: "order"), identifier: rule, at: start).isNew)
        #expect(try await ledger.begin(newSale("t4", identifier: "order"), at: start).isNew)
        #expect(try await ledger.byIdentifier("order").map(\.id) == ["t4", "t3", "t2", "t1"])
        #expect(try await ledger.byIdentifier("order", scope: "shop").map(\.id) == ["t3"])
        #expect(try await ledger.byIdentifier("order", scope: "bar").isEmpty)
        #expect(try await ledger.onlyOne(ofIdentifier: "order", scope: "shop")?.id == "t3")
        #expect(try await ledger.onlyOne(ofIdentifier: "order", scope: "") == nil)
        await ledger.close()
    }

    @Test func theSameRequestGetsTheTransactionAsItIsNowAndWritesNothing() async throws {
        let ledger = try await Ledger.open(directory: directory.path)
        let first = try await ledger.begin(newSale("t1", identifier: "order"), identifier: rule, at: start)
        #expect(first.isNew && first.record.identifierScope == "shop" && first.record.requestDigest == digest)
        let approved = try await ledger.advance("t1", from: ["created"], to: "approved", at: start + 1)
        let again = try await ledger.begin(newSale("t2", identifier: "order"), identifier: rule, at: start + 2)
        #expect(again == .repeated(approved))
        // A caller that repeats its own id, too.
        let same = try await ledger.begin(newSale("t1", identifier: "order"), identifier: rule, at: start + 2)
        #expect(same == .repeated(approved))
        #expect(try await ledger.transactions().map(\.id) == ["t1"])
        #expect(try await ledger.journal(of: "t1").count == 2)
        await ledger.close()
    }

    @Test func anotherRequestWithTheIdentifierIsRefusedAndOtherScopesAreNotTouched() async throws {
        let ledger = try await Ledger.open(directory: directory.path)
        try await ledger.begin(newSale("t1", identifier: "order"), identifier: rule, at: start)
        let other = await failure { () throws(LedgerError) in
            try await ledger.begin(
                newSale("t2", identifier: "order"), identifier: .once(scope: "shop", digest: otherDigest), at: start)
        }
        #expect(other?.code == .duplicate(existing: "t1"))
        #expect(other?.sentence == "This identifier is already used by the transaction 't1'.")
        for (id, scope) in [("t3", "bar"), ("t4", "")] {
            let elsewhere = try await ledger.begin(
                newSale(id, identifier: "order"), identifier: .once(scope: scope, digest: digest), at: start)
            #expect(elsewhere.isNew)
        }
        #expect(try await ledger.transactions().count == 3)
        await ledger.close()
    }

    @Test func withoutAnIdentifierEachRequestIsNew() async throws {
        let ledger = try await Ledger.open(directory: directory.path)
        for id in ["t1", "t2"] { #expect(try await ledger.begin(newSale(id), identifier: rule, at: start).isNew) }
        await ledger.close()
    }

    @Test func saleAndRefundShareTheIdentifiersOfAScope() async throws {
        let ledger = try await Ledger.open(directory: directory.path)
        func refund(_ id: String, digest: String) async throws(LedgerError) -> Beginning {
            try await ledger.beginRefund(
                newSale(id, amount: 10_000, identifier: "order"), ofOriginal: "t1", countedStates: ["created"],
                originalStates: ["approved"], limitMinorUnits: 10_000,
                identifier: .once(scope: "shop", digest: digest), at: start)
        }
        try await ledger.begin(newSale("t1", state: "approved", identifier: "sale"), identifier: rule, at: start)
        let first = try await refund("r1", digest: digest)
        #expect(first.isNew)
        // The limit is used up: a repetition must not be measured against it.
        #expect(try await refund("r2", digest: digest) == .repeated(first.record))
        #expect(
            await failure { () throws(LedgerError) in
                try await refund("r3", digest: otherDigest)
            }?.code == .duplicate(existing: "r1"))
        let sale = await failure { () throws(LedgerError) in
            try await ledger.begin(
                newSale("t2", identifier: "order"), identifier: .once(scope: "shop", digest: otherDigest), at: start)
        }
        #expect(sale?.code == .duplicate(existing: "r1"))
        await ledger.close()
    }

    @Test(arguments: ["", "0123", digest.uppercased(), digest + "0", String(digest.dropLast()) + "g"])
    func aDigestIsThatOfSHA256(text: String) async throws {
        let ledger = try await Ledger.open(directory: directory.path)
        let error = await failure { () throws(LedgerError) in
            try await ledger.begin(
                newSale("t1", identifier: "order"), identifier: .once(scope: "", digest: text), at: start)
        }
        #expect(error?.code == .invalid)
        #expect(try await ledger.transactions().isEmpty)
        await ledger.close()
    }

    /// The index says the same as the check: other programs that write the file cannot break the rule.
    @Test func theIndexRefusesASecondRow() async throws {
        let ledger = try await Ledger.open(directory: directory.path)
        for id in ["t1", "t2"] { try await ledger.begin(newSale(id, identifier: "order"), at: start) }
        let error = await failure { () throws(LedgerError) in
            try await ledger.putDigests(digest)
        }
        #expect(error?.code == .invalid)
        await ledger.close()
    }

    @Test func fiftyEqualCallsOverTwoConnectionsBeginOneSale() async throws {
        let ledgers = [
            try await Ledger.open(directory: directory.path, busyTimeout: 60_000),
            try await Ledger.open(directory: directory.path, busyTimeout: 60_000),
        ]
        let beginnings = await withTaskGroup(of: Beginning?.self) { group in
            for number in 0..<50 {
                group.addTask { [rule] in
                    do throws(LedgerError) {
                        return try await ledgers[number % 2].begin(
                            newSale("t\(number)", identifier: "order"), identifier: rule, at: start)
                    } catch {
                        return nil
                    }
                }
            }
            return await group.reduce(into: [Beginning?]()) { $0.append($1) }
        }
        let written = try await ledgers[0].transactions()
        #expect(written.count == 1)
        #expect(beginnings.count { $0?.isNew == true } == 1)
        #expect(beginnings.allSatisfy { $0?.record == written.first })
        for ledger in ledgers { await ledger.close() }
    }
}

extension Beginning {
    fileprivate var isNew: Bool {
        if case .begun = self { true } else { false }
    }
}

extension Ledger {
    fileprivate func putDigests(_ digest: String) throws(LedgerError) {
        try connected().run("UPDATE transactions SET request_digest = ?", [.text(digest)])
    }
}
