import Testing

/// The demonstration of `make demo`, from another directory.
@Suite(.blackBox) struct DemoTests {
    @Test(
        "the demo shows a probe, a sale, its receipt and its refund",
        .enabled(if: Prerequisites.faketimeOnRungTwo == nil, "\(Prerequisites.faketimeOnRungTwo ?? "")"))
    func demo() async throws {
        var demo = Program("env", ["-C", "/", Prerequisites.checkout + "/scripts/demo.sh"])
        demo.environment = ["READERKIT_BIN": Prerequisites.products, "READERKIT_DATA": nil]
        demo.limit = 120
        let ended = try await run(demo)
        #expect(ended.status == 0, "\(ended.errors)")
        for words in [
            "ready, card present", #""result":"aprobada""#, #""tip":"15.00""#, "SALE - APPROVED", "115.00 MXN",
            "Debe pasar al menos 1 minuto", #""amount":"115.00""#, "refund  approved  115.00", "sale  refunded  115.00",
        ] {
            #expect(ended.output.contains(words), "\(words)")
        }
    }

    @Test("without the programs it fails loudly")
    func missing() async throws {
        var demo = Program(Prerequisites.checkout + "/scripts/demo.sh", [])
        demo.environment = ["READERKIT_BIN": "/no/such/place"]
        let ended = try await run(demo)
        #expect(ended.status == 1)
        #expect(ended.errors.hasPrefix("demo: there is no /no/such/place/readerctl"))
    }
}
