import Foundation
import Readers
import Testing

/// The table of readers, and the two files that are made from it.
struct CatalogueTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private func committed(_ path: String) throws -> String {
        try String(contentsOf: Self.root.appendingPathComponent(path), encoding: .utf8)
    }

    @Test func `the committed udev rules are those of the catalogue`() throws {
        #expect(try committed("udev/\(UdevRules.fileName)") == UdevRules.text, "run `make generate`")
    }

    @Test func `the committed page of readers is that of the catalogue`() throws {
        #expect(
            try committed("docs/\(SupportedReadersPage.fileName)") == SupportedReadersPage.text, "run `make generate`")
    }

    @Test func `the rules run before uaccess is acted on`() throws {
        let number = try #require(Int(UdevRules.fileName.prefix { $0 != "-" }))
        #expect(number < 73)
    }

    @Test func `no model is there twice and every departure has its reason`() {
        let models = ReaderCatalogue.models
        #expect(Set(models.map { [$0.vendorId, $0.productId] }).count == models.count)
        #expect(Set(models.map(\.name)).count == models.count)
        for model in models {
            #expect(!model.name.isEmpty)
            #expect(ReaderCatalogue.model(vendorId: model.vendorId, productId: model.productId) == model)
            for quirk in model.quirks { #expect(quirk.reason.hasSuffix(".")) }
        }
    }

    @Test func `every model is in the rules and on the page`() {
        for model in ReaderCatalogue.models {
            let (vendor, product) = (hex4(model.vendorId), hex4(model.productId))
            #expect(UdevRules.text.contains("ATTR{idVendor}==\"\(vendor)\", ATTR{idProduct}==\"\(product)\""))
            #expect(SupportedReadersPage.text.contains("| \(vendor):\(product) | \(model.name) |"))
        }
    }

    @Test func `a quirk changes the response time of its model only`() throws {
        let motorised = try #require(ReaderCatalogue.model(vendorId: 0x23D8, productId: 0x0603))
        #expect(motorised.responseTimeoutMilliseconds(default: 5000) == 10_000)
        let plain = try #require(ReaderCatalogue.model(vendorId: 0x08E6, productId: 0x3437))
        #expect(plain.responseTimeoutMilliseconds(default: 5000) == 5000)
        #expect(plain.presencePollMilliseconds == nil)
    }

    @Test func `serial readers are hinted at, and shared ids get no rule`() {
        func families(_ vendor: UInt16, _ product: UInt16, _ manufacturer: String? = nil) -> Set<ReaderFamily> {
            ReaderCatalogue.serialFamilies(vendorId: vendor, productId: product, manufacturer: manufacturer)
        }
        #expect(families(0x03EB, 0x2404) == [.qpos] && families(0x0B95, 0x1234) == [.qpos])
        #expect(families(0x2DDA, 0x0001) == [.mpi] && families(0x11CA, 0x0300) == [.mpi])
        #expect(families(0x0525, 0xA4A7, "MIURA Systems") == [.mpi])
        #expect(families(0x0525, 0xA4A7, "NetChip").isEmpty && families(0x0525, 0xA4A7).isEmpty)
        #expect(families(0x0525, 0x0001, "Miura").isEmpty && families(0x1234, 0x5678).isEmpty)
        for hint in ReaderCatalogue.serialHints {
            let vendor = "idVendor}==\"\(hex4(hint.vendorId))\""
            #expect(UdevRules.text.contains("ATTR{" + vendor) == !hint.isShared)
            #expect(UdevRules.text.contains("ATTRS{" + vendor) == hint.isReasonToAsk)
            #expect(SupportedReadersPage.text.contains("| \(hex4(hint.vendorId)):"))
            #expect(hint.claim == .vendorHostCode)
        }
    }
}
