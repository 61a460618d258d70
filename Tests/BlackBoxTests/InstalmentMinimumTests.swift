import Foundation
import Testing

/// The minimum of a plan holds for `sale` as for every caller (for `open` see `OpenTests`).
@Suite(.blackBox) struct InstalmentMinimumTests {
    @Test("a cent below it: exit 9, a sentence with minimum and plan, nothing recorded; at it: approved")
    func minimum() async throws {
        let path = try Workbench.mine().path("kiosk.json")
        try Data(#"{"instalments":{"msi":{"6":"600.00"}}}"#.utf8).write(to: URL(fileURLWithPath: path))
        let below = try await run(simulatedSale("599.00", "--tip", "0.99", "--msi", "6", "--config", path))
        #expect(below.status == 9)
        #expect(try below.text("statusinfo") == "El monto no alcanza el mínimo para 6 meses")
        #expect(below.errors.hasPrefix("6 months without interest are offered from 600.00 MXN on"))
        #expect(try await run("transactions", "--json").list("transactions").isEmpty)
        let enough = try await run(simulatedSale("599.00", "--tip", "1.00", "--msi", "6", "--config", path))
        #expect(enough.status == 0)
        #expect(try enough.object()["msi"] as? Int == 6)
        #expect(try await run(simulatedSale("1.00", "--msi", "3", "--config", path)).status == 0)
    }
}
