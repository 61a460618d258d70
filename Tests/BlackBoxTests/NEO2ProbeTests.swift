import Testing

/// An ID TECH reader on the mock bus: HID reports over real libusb interrupt transfers.
@Suite(.blackBox, .enabled(if: Prerequisites.rungTwo == nil, "\(Prerequisites.rungTwo ?? "")"))
struct NEO2ProbeTests {
    private static let ready =
        #"{"id":"usb:0acd:3530:310T061040","driver":"neo2","model":"ID TECH VP3300 Mock","vendorId":"0acd","#
        + #""productId":"3530","serial":"310T061040","transport":"usb","port":"usb:1-1","node":"/dev/bus/usb/001/002","#
        + #""state":"ready","card":"unknown","firmware":"1.00","capabilities":["kernel","contact","contactless","#
        + #""stripe","sred"],"heldBy":null,"problems":[]}"#

    @Test("a ready reader, to the letter; the kernel's HID driver gives it up and gets it back")
    func ready() async throws {
        let reader = try await MockReader("neo2:driver=usbhid")
        for _ in 0..<2 {
            let ended = try await reader.run("probe", "--json")
            #expect(ended.status == 0)
            #expect(ended.output == #"{"readers":["# + Self.ready + "]}\n")
            #expect(ended.errors == "")
        }
        await reader.close()
    }

    @Test("a model that nobody knows is known by its ping")
    func unknownModel() async throws {
        let reader = try await MockReader("neo2:pid=4480")
        let ended = try await reader.run("probe", "--json")
        #expect(ended.status == 0)
        #expect(ended.output.contains(#""driver":"neo2""#) && ended.output.contains(#""state":"ready""#))
        // Nobody answers, however often it is asked.
        for command in 1...6 { try await reader.steer("1-1 fault \(command) silent") }
        let silent = try await reader.run("probe", "--json")
        #expect(silent.output.contains(#""state":"unsupported""#))
        await reader.close()
    }

    @Test("products of the vendor that speak something else are no readers")
    func otherProtocol() async throws {
        let reader = try await MockReader("neo2:pid=3820")
        let ended = try await reader.run("probe", "--json")
        #expect(ended.status == 3)
        #expect(ended.output == "{\"readers\":[]}\n")
        await reader.close()
    }

    @Test("unplugging within the greeting ends it, and the reader that comes back is ready")
    func unplugged() async throws {
        let reader = try await MockReader("neo2")
        try await reader.steer("1-1 fault 3 unplug-half")
        let ended = try await reader.run("probe", "--json")
        #expect(ended.output.contains(#""state":"fault""#))
        try await reader.steer("1-1 plug")
        #expect(try await reader.run("probe", "--json").output.contains(#""state":"ready""#))
        await reader.close()
    }

    @Test("damaged answers are asked for again", arguments: ["wrong-check", "swapped-check", "silent", "twice", "cut"])
    func damaged(fault: String) async throws {
        let reader = try await MockReader("neo2")
        for command in [1, 4, 6] { try await reader.steer("1-1 fault \(command) \(fault)") }
        #expect(try await reader.run("probe", "--json").output.contains(#""state":"ready""#))
        await reader.close()
    }
}
