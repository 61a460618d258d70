import Foundation
import Testing
import USBSerial

@testable import Readers

/// The files for udev that are made from the tables: what they say of chips, and that the committed ones say it.
@Suite("Rules and hardware database of chips")
struct SerialChipRulesTests {
    private func committed(_ name: String) throws -> String {
        var root = URL(fileURLWithPath: #filePath)
        for _ in 0..<4 { root.deleteLastPathComponent() }
        return try String(contentsOf: root.appendingPathComponent("udev/" + name), encoding: .utf8)
    }

    @Test("the committed files are those of the tables")
    func agreement() throws {
        #expect(try committed(SerialChipRules.fileName) == SerialChipRules.text, "run `make generate`")
        #expect(try committed(HardwareDatabase.fileName) == HardwareDatabase.text, "run `make generate`")
    }

    @Test("the rules run after those of readers, and before uaccess is acted on")
    func order() throws {
        let numbers = try [UdevRules.fileName, SerialChipRules.fileName].map {
            try #require(Int($0.prefix { $0 != "-" }))
        }
        #expect(numbers[0] < numbers[1] && numbers[1] < 73)
    }

    @Test("every chip has a line, and each is a comment: a shared id is opted in")
    func optIn() {
        let lines = SerialChipRules.text.split(separator: "\n").map(String.init)
        for ids in SerialChipIds.all {
            #expect(lines.filter { $0 == "#" + SerialChipRules.line(ids) }.count == 1)
            #expect(!UdevRules.text.contains("\"\(hex4(ids.vendorId))\", ATTR{idProduct}==\"\(hex4(ids.productId))\""))
        }
        #expect(!lines.contains { !$0.hasPrefix("#") && $0.contains("idVendor") })
    }

    @Test("every model and every chip is in the database, once, and nothing there grants anything")
    func database() {
        let lines = HardwareDatabase.text.split(separator: "\n").map(String.init)
        let ids =
            ReaderCatalogue.models.map { HardwareDatabase.modalias($0.vendorId, $0.productId) }
            + SerialChipIds.all.map { HardwareDatabase.modalias($0.vendorId, $0.productId) }
        #expect(Set(ids).count == ids.count)
        #expect(lines.filter { $0.hasPrefix("usb:") }.sorted() == ids.sorted())
        let known = ["READERKIT_MODEL", "READERKIT_FAMILY", "READERKIT_SERIAL_CHIP"]
        for line in lines where line.hasPrefix(" ") {
            #expect(known.contains { line.hasPrefix(" \($0)=") }, "\(line)")
        }
    }

    /// Where a departure comes from is to be known; nothing that is at hand says how the Kiosk III reads cards.
    @Test("no model is said to read fewer ways than its family without a source")
    func unsourced() {
        #expect(ReaderCatalogue.model(vendorId: 0x0ACD, productId: 0x3710)?.cardInterfaces == nil)
    }
}
