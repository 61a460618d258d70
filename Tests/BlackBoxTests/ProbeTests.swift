import Testing

/// `readerctl probe` through the real libusb and libudev, on the mock bus.
@Suite(.blackBox, .enabled(if: Prerequisites.rungTwo == nil, "\(Prerequisites.rungTwo ?? "")"))
struct ProbeTests {
    private static let ready =
        #"{"id":"usb:08e6:3437:C0001","driver":"ccid","model":"Mock Works Smart Card Reader","vendorId":"08e6","#
        + #""productId":"3437","serial":"C0001","transport":"usb","port":"usb:1-1","node":"/dev/bus/usb/001/002","#
        + #""state":"ready","card":"present","firmware":"1.00","capabilities":["contact","level:extendedAPDU","t=0","#
        + #""t=1","slot-events"],"heldBy":null,"problems":[]}"#

    @Test("a ready reader, to the letter")
    func ready() async throws {
        let reader = try await MockReader("ccid:card=visa-credit")
        let ended = try await reader.run("probe", "--json")
        #expect(ended.status == 0)
        #expect(ended.output == #"{"readers":["# + Self.ready + "]}\n")
        #expect(ended.errors == "")
        await reader.close()
    }

    @Test("an empty slot is told, and so is a card that comes and goes")
    func card() async throws {
        let reader = try await MockReader("ccid:card=none")
        #expect(try await reader.run("probe", "--json").output.contains(#""card":"absent""#))
        try await reader.steer("1-1 insert visa-credit")
        #expect(try await reader.run("probe", "--json").output.contains(#""card":"present""#))
        try await reader.steer("1-1 remove")
        #expect(try await reader.run("probe").output.contains("ready, card absent"))
        await reader.close()
    }

    @Test("no reader is exit 3 and a sentence; the JSON stays a document")
    func none() async throws {
        let reader = try await MockReader("ccid:plugged=no", "reference")
        let ended = try await reader.run("probe", "--json")
        #expect(ended.status == 3)
        #expect(ended.output == "{\"readers\":[]}\n")
        #expect(ended.errors.hasPrefix("No card reader was found."))
        let text = try await reader.run("probe")
        #expect(text.status == 3)
        #expect(text.output.hasPrefix("No card reader was found."))
        let sale = try await reader.run("sale", "--amount", "1.00", "--json")
        #expect(sale.status == 3)
        #expect(try sale.text("statusinfo") == "No hay un lector compatible conectado")
        #expect(try await run("transactions", "--json").output == "{\"transactions\":[]}\n")
        await reader.close()
    }

    @Test("a reader that may not be opened is exit 4, with node, owner and what to do")
    func denied() async throws {
        let reader = try await MockReader("ccid:access-denied=3600000")
        let ended = try await reader.run("probe", "--json")
        #expect(ended.status == 4)
        let problem = try problem(ended, state: "denied")
        #expect(problem.code == "accessDenied")
        #expect(problem.message.contains("/dev/bus/usb/001/002"))
        #expect(problem.message.contains("root:root, mode "))
        #expect(problem.fix.contains("udevadm") && problem.fix.contains("usermod"))
        let text = try await reader.run("probe")
        #expect(text.output.contains("problem: Access to /dev/bus/usb/001/002 is denied"))
        #expect(text.output.contains("fix: "))
        #expect(try await reader.run("sale", "--amount", "1.00", "--json").status == 4)
        await reader.close()
    }

    @Test("a reader that someone else holds is busy, with a problem that says so")
    func busy() async throws {
        let reader = try await MockReader("ccid")
        try await reader.steer("1-1 errno claim EBUSY")
        let ended = try await reader.run("probe", "--json")
        #expect(ended.status == 4)
        let problem = try problem(ended, state: "busy")
        #expect(problem.code == "held")
        #expect(problem.message.contains("held by") && problem.fix.hasSuffix("."))
        let sale = try await reader.run("sale", "--amount", "1.00", "--json")
        #expect(sale.status == 4)
        #expect(try sale.text("statusinfo") == "Hay otra transacción en curso")
        try await reader.steer("1-1 errno claim none")
        #expect(try await reader.run("probe", "--json").status == 0)
        await reader.close()
    }

    @Test("a reader at character level is unsupported, and says what to use")
    func characterLevel() async throws {
        let reader = try await MockReader("ccid:level=character")
        let ended = try await reader.run("probe", "--json")
        #expect(ended.status == 4)
        #expect(try problem(ended, state: "unsupported").code == "unsupported")
        #expect(try await reader.run("sale", "--amount", "1.00").status == 4)
        await reader.close()
    }

    @Test("a reader that does not answer is a fault, within the time limit")
    func silent() async throws {
        let reader = try await MockReader("ccid")
        for _ in 1...3 { try await reader.steer("1-1 fault next silent") }
        let ended = try await reader.run("probe", "--json")
        #expect(ended.status == 4)
        #expect(try problem(ended, state: "fault").fix.hasSuffix("."))
        await reader.close()
    }

    @Test("a device that a udev rule tells to ignore is not touched")
    func ignored() async throws {
        let reader = try await MockReader("ccid:property=READERKIT_IGNORE=1", "ccid:serial=C0002")
        let ended = try await reader.run("probe", "--json")
        #expect(try ended.list("readers").map { $0["serial"] as? String } == ["C0002"])
        #expect(try await reader.run("sale", "--amount", "1.00", "--json").status == 0)
        #expect(try await reader.run("sale", "--amount", "1.00", "--reader", "usb:1-1").status == 3)
        await reader.close()
    }

    @Test("two readers with the same serial number are told apart by their ports, and both say so")
    func twins() async throws {
        let reader = try await MockReader("ccid:card=visa-credit,port=1-2", "ccid:card=mastercard-debit,port=1-4")
        let probed = try await reader.run("probe", "--json")
        #expect(try probed.list("readers").map { $0["id"] as? String } == ["usb:1-2", "usb:1-4"])
        #expect(probed.output.contains(#""code":"sameSerial""#))
        let ambiguous = try await reader.run("sale", "--amount", "1.00")
        #expect(ambiguous.status == 2)
        #expect(ambiguous.errors.contains("--reader: usb:1-2, usb:1-4"))
        for (port, digits) in [("usb:1-2", "0119"), ("usb:1-4", "0044")] {
            let sale = try await reader.run("sale", "--amount", "1.00", "--json", "--reader", port)
            #expect(try sale.text("creditcard") == digits)
        }
        await reader.close()
    }

    @Test("two readers with serial numbers of their own are chosen by id, port or node")
    func byId() async throws {
        let reader = try await MockReader("ccid:card=visa-credit", "ccid:card=mastercard-debit,serial=C 2")
        for choice in ["usb:08e6:3437:C%202", "usb:1-2", "/dev/bus/usb/001/003"] {
            let sale = try await reader.run("sale", "--amount", "1.00", "--json", "--reader", choice)
            #expect(try sale.text("creditcard") == "0044", "\(choice)")
        }
        let wrong = try await reader.run("sale", "--amount", "1.00", "--reader", "usb:1-3")
        #expect(wrong.status == 3, "\(wrong)")
        #expect(wrong.errors.contains("There is no reader 'usb:1-3'"))
        await reader.close()
    }

    private struct Problem {
        var code: String
        var message: String
        var fix: String
    }

    /// The one problem of the one reader.
    private func problem(_ ended: Ended, state: String) throws -> Problem {
        let reader = try #require(ended.list("readers").first)
        #expect(reader["state"] as? String == state)
        let problems = try #require(reader["problems"] as? [[String: String]])
        #expect(problems.count == 1)
        let problem = try #require(problems.first)
        return Problem(
            code: problem["code"] ?? "", message: problem["message"] ?? "", fix: problem["fix"] ?? "")
    }
}
