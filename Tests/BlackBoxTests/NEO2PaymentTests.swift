import Testing

/// Payments with an ID TECH reader on the mock bus: the driver and the real libusb, in a program of their own.
@Suite(.blackBox, .enabled(if: Prerequisites.rungTwo == nil, "\(Prerequisites.rungTwo ?? "")"))
struct NEO2PaymentTests {
    private func pay(_ reader: MockReader, _ arguments: String...) async throws -> [String] {
        let program = Program(Prerequisites.product("paycheck"), arguments)
        let ended = try await Workbench.mine().run(reader.seen(by: program))
        #expect(ended.status == 0 && ended.errors == "")
        return ended.output.split(separator: "\n").map(String.init)
    }

    @Test("a tap, with lights and interim answers, while the kernel's HID driver had the reader")
    func tapped() async throws {
        let reader = try await MockReader("neo2:chatty=yes,driver=usbhid")
        try await reader.steer("1-1 after 1500 tap visa-credit")
        #expect(
            try await pay(reader, "30", "contactless") == [
                "prompt tapCard", "prompt processing", "online contactlessChip 0119", "approved contactlessChip",
            ])
        await reader.close()
    }

    @Test("both cryptograms of a card in the slot")
    func inserted() async throws {
        let reader = try await MockReader("neo2:card=mastercard-debit")
        #expect(
            try await pay(reader, "30", "contact") == [
                "prompt insertCard", "prompt doNotRemoveCard", "online contactChip 0044", "approved contactChip",
            ])
        await reader.close()
    }

    @Test("a swipe of seven reports")
    func swiped() async throws {
        let reader = try await MockReader("neo2")
        try await reader.steer("1-1 after 1500 swipe visa-credit 101")
        #expect(
            try await pay(reader, "30", "magneticStripe") == [
                "prompt swipeCard", "online magneticStripe 0119", "approved magneticStripe",
            ])
        await reader.close()
    }

    @Test("nobody comes; the reader leaves; answers are damaged")
    func trouble() async throws {
        let reader = try await MockReader("neo2")
        #expect(try await pay(reader, "1", "contactless") == ["prompt tapCard", "error cardNotInserted"])
        try await reader.steer("1-1 after 1500 unplug")
        #expect(try await pay(reader, "30", "contactless") == ["prompt tapCard", "error gone"])
        try await reader.steer("1-1 plug")
        try await reader.steer("1-1 insert visa-credit")
        try await reader.steer("1-1 fault 8 unplug-half")
        #expect(
            try await pay(reader, "30", "contact") == ["prompt insertCard", "prompt doNotRemoveCard", "error gone"])
        await reader.close()
    }
}
