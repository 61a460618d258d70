import Foundation
import Testing

/// Readers at USB-serial chips that `readerctl` drives itself, through the real libusb.
@Suite(.blackBox, .enabled(if: Prerequisites.rungTwo == nil, "\(Prerequisites.rungTwo ?? "")"))
struct USBSerialReaderTests {
    private func only(_ ended: Ended) throws -> (state: String?, reader: [String: Any], problems: [[String: String]]) {
        let readers = try ended.list("readers")
        #expect(readers.count == 1, "\(ended)")
        let reader = try #require(readers.first)
        return (reader["state"] as? String, reader, try #require(reader["problems"] as? [[String: String]]))
    }

    @Test("nobody has named the chip: not listed, and not a byte for it; named by ids it is ready, to the letter")
    func named() async throws {
        let bus = try await MockReader("cp210x:device=qpos,card=visa-credit")
        let unnamed = try await bus.run("probe", "--json")
        #expect(unnamed.output == "{\"readers\":[]}\n" && unnamed.status == 3, "\(unnamed)")
        let file = try usbSerial("usb:10c4:ea60", "qpos")
        let ended = try await bus.run("probe", "--json", "--config", file)
        #expect(ended.status == 0)
        let access = try #require((try only(ended).reader["line"] as? [String: Any])?["access"] as? String)
        #expect(access.hasPrefix("root:root, mode "))
        #expect(
            ended.output == #"{"readers":[{"id":"usb:10c4:ea60:0001","driver":"qpos","#
                + #""model":"Silicon Labs CP2102 USB to UART Bridge Controller","vendorId":"10c4","productId":"ea60","#
                + #""serial":"0001","transport":"usb","port":"usb:1-1","node":"/dev/bus/usb/001/002","state":"ready","#
                + #""card":"unknown","firmware":null,"capabilities":[],"heldBy":null,"problems":[],"#
                + #""line":{"chip":"Silicon Labs CP2102","kernelDriver":null,"tty":null,"usb":"/dev/bus/usb/001/002","#
                + #""baud":115200,"access":"\#(access)"}}]}"# + "\n")
        let text = try await bus.run("probe", "--config", file)
        #expect(
            text.output.contains(
                "  line          Silicon Labs CP2102 at 115200 baud, over USB at /dev/bus/usb/001/002\n"))
        #expect(text.output.contains("  access        \(access)\n"))
        await bus.close()
    }

    @Test(
        "a sale over a chip of each kind, at a reader of each family",
        arguments: [
            ("cp210x", "10c4:ea60:0001", "qpos"), ("cdc-acm", "1209:0002:C0001", "qpos"),
            ("ftdi", "0403:6001:A0001", "neo2"), ("ch34x", "1a86:7523", "mpi"), ("pl2303", "067b:2303", "mpi"),
        ])
    func sale(chip: String, ids: String, family: String) async throws {
        let bus = try await MockReader("\(chip):device=\(family),card=visa-credit")
        let sale = try await bus.run(
            "sale", "--amount", "100.00", "--tip", "15.00", "--json", "--config", try usbSerial("usb:" + ids, family))
        #expect(sale.status == 0, "\(sale)")
        #expect(try sale.text("outcome") == "approved" && sale.text("creditcard") == "0119")
        await bus.close()
    }

    @Test(
        "a reader of the catalogue with a port of its own needs no configuration where the kernel has no driver for it")
    func catalogued() async throws {
        let bus = try await MockReader("mpi:card=visa-credit")
        let found = try only(try await bus.run("probe", "--json"))
        #expect(found.state == "ready" && found.reader["transport"] as? String == "usb")
        #expect(try await bus.run("sale", "--amount", "1.00", "--json").status == 0)
        await bus.close()
    }

    @Test(
        "a reader that leaves during a sale is exit 4, and its payment has failed; back again, it takes the next one",
        arguments: [("cp210x", "qpos"), ("ftdi", "neo2"), ("ch34x", "mpi")])
    func unplugged(chip: String, family: String) async throws {
        let bus = try await MockReader("\(chip):device=\(family)")
        let file = try usbSerial("usb:1-1", family)
        let sale = try bus.start("sale", "--amount", "20.00", "--json", "--config", file)
        let id = try await transaction(in: "readerArmed", while: sale)
        try await bus.steer("1-1 unplug")
        let ended = await sale.end()
        #expect(ended.status == 4, "\(ended)")
        #expect(try ended.text("statusinfo") == "Se perdió la conexión con el lector")
        #expect(try await run("transaction", id, "--json").text("state") == "failed")
        try await bus.steer("1-1 plug")
        try await bus.steer("1-1 insert visa-credit")
        let next = try await bus.run("sale", "--amount", "20.00", "--json", "--config", file)
        #expect(next.status == 0, "\(next)")
        await bus.close()
    }

    @Test("with --intrusive a chip that nobody has named is asked, at each speed, and the fix is the line to write")
    func intrusive() async throws {
        let bus = try await MockReader("ftdi:device=neo2,card=visa-credit,speed=19200")
        let ended = try await bus.run("probe", "--json", "--intrusive")
        #expect(ended.status == 4)
        let found = try only(ended)
        #expect(found.state == "fault" && found.problems.map { $0["code"] } == ["wrongSpeed"], "\(ended)")
        let entry = #""readers": {"usbSerial": [{"device": "usb:0403:6001:A0001", "family": "neo2", "baud": 19200}]}"#
        #expect(found.problems.first?["fix"] == "Set its speed in the configuration: \(entry).")
        let file = try Workbench.mine().path("told.json")
        try Data("{\(entry)}".utf8).write(to: URL(fileURLWithPath: file))
        #expect(try await bus.run("probe", "--json", "--config", file).status == 0)
        await bus.close()
    }

    @Test("at the usual speed such a reader is ready, and told how to name it")
    func notConfigured() async throws {
        let bus = try await MockReader("ch34x:device=mpi")
        let ended = try await bus.run("probe", "--json", "--intrusive")
        #expect(ended.status == 0)
        let found = try only(ended)
        #expect(found.problems.map { $0["code"] } == ["notConfigured"])
        #expect(
            found.problems.first?["fix"]?.contains(#"{"device": "usb:1a86:7523"#) == true
                || found.reader["serial"] is NSNull)
        await bus.close()
    }

    @Test("what does not answer is silent when it is named, and unknown when it was only asked")
    func silent() async throws {
        let bus = try await MockReader("pl2303:device=qpos,speed=300")
        let named = try only(try await bus.run("probe", "--json", "--config", try usbSerial("usb:067b:2303", "qpos")))
        #expect(named.state == "fault" && named.problems.map { $0["code"] } == ["silent"])
        let asked = try only(try await bus.run("probe", "--json", "--intrusive"))
        #expect(asked.state == "unsupported" && asked.problems.map { $0["code"] } == ["unknownDevice"])
        #expect(asked.reader["driver"] is NSNull)
        await bus.close()
    }

    @Test("a chip that may not be opened: denied, with the rules that are to be asked for")
    func denied() async throws {
        let bus = try await MockReader("cp210x:device=qpos,access-denied=3600000")
        let ended = try await bus.run("probe", "--json", "--config", try usbSerial("usb:10c4:ea60", "qpos"))
        #expect(ended.status == 4)
        let found = try only(ended)
        #expect(found.state == "denied" && found.problems.map { $0["code"] } == ["accessDenied"], "\(ended)")
        #expect(
            found.problems.first?["fix"]?.contains(
                "install udev/61-readerkit-usb-serial.rules in /etc/udev/rules.d, take the '#' from its line of 10c4:ea60,"
            )
                == true)
        await bus.close()
    }

    @Test("a driver of the kernel without a tty is in the way: busy, its name, and how to take it away")
    func kernelDriver() async throws {
        let bus = try await MockReader("cp210x:device=qpos,card=visa-credit,driver=cp210x")
        let ended = try await bus.run("probe", "--json", "--config", try usbSerial("usb:10c4:ea60", "qpos"))
        #expect(ended.status == 4)
        let found = try only(ended)
        #expect(found.state == "busy" && found.problems.map { $0["code"] } == ["kernelDriver"], "\(ended)")
        #expect(found.reader["heldBy"] as? String == "kernel driver cp210x")
        #expect(found.problems.first?["fix"]?.contains(#""direct": true"#) == true)
        let direct = try usbSerial("usb:10c4:ea60", "qpos", isDirect: true)
        #expect(try await bus.run("sale", "--amount", "1.00", "--json", "--config", direct).status == 0)
        // It was given back.
        let again = try only(try await bus.run("probe", "--json", "--config", try usbSerial("usb:10c4:ea60", "qpos")))
        #expect(again.state == "busy")
        await bus.close()
    }

    @Test("a chip that another program drives is busy")
    func held() async throws {
        let bus = try await MockReader("cp210x:device=qpos")
        let file = try usbSerial("usb:10c4:ea60", "qpos")
        let sale = try bus.start("sale", "--amount", "20.00", "--json", "--config", file)
        _ = try await transaction(in: "readerArmed", while: sale)
        let ended = try await bus.run("probe", "--json", "--config", file)
        #expect(ended.status == 4)
        let found = try only(ended)
        #expect(found.state == "busy" && found.problems.map { $0["code"] } == ["held"], "\(ended)")
        // Whose it is cannot be seen here: the node is none of the kernel's.
        #expect(found.problems.first?["message"] == "The reader is held by another program.")
        try await bus.steer("1-1 insert visa-credit")
        #expect(await sale.end().status == 0)
        await bus.close()
    }
}

/// One device, whatever drives it: the kernel's tty, or the chip directly.
@Suite(.blackBox, .enabled(if: Prerequisites.rungTwo == nil, "\(Prerequisites.rungTwo ?? "")"))
struct TTYOrChipTests {
    private let chip = "cp210x:device=qpos,card=visa-credit,driver=cp210x,tty=ttyUSB0@"

    private func readers(_ ended: Ended) throws -> [(id: String?, node: String?, line: [String: Any])] {
        try ended.list("readers").map {
            ($0["id"] as? String, $0["node"] as? String, $0["line"] as? [String: Any] ?? [:])
        }
    }

    @Test(
        "the kernel has made a tty: it is used, with the family and speed of the device's entry, and there is one reader"
    )
    func tty() async throws {
        let reader = try PtyReader("qpos", baud: 9600)
        let bus = try await MockReader("\(chip)\(reader.node)@cp210x")
        let file = try usbSerial("usb:10c4:ea60:0001", "qpos", baud: 9600)
        for intrusive in [[], ["--intrusive"]] {
            let ended = try await Workbench.mine().run(
                bus.seen(by: readerctl(["probe", "--json", "--config", file] + intrusive)))
            #expect(ended.status == 0, "\(ended)")
            let found = try readers(ended)
            #expect(found.map(\.id) == ["tty:10c4:ea60:0001"] && found.map(\.node) == ["/dev/ttyUSB0"])
            let line = try #require(found.first?.line)
            #expect(line["chip"] as? String == "Silicon Labs CP2102" && line["kernelDriver"] as? String == "cp210x")
            #expect(line["tty"] as? String == "/dev/ttyUSB0" && line["usb"] as? String == "/dev/bus/usb/001/002")
            #expect(line["baud"] as? Int == 9600)
        }
        #expect(try await bus.run("sale", "--amount", "1.00", "--json", "--config", file).status == 0)
        await bus.close()
        await reader.close()
    }

    @Test("wanted directly, the chip is taken from the kernel for each use and given back; not a byte goes to the tty")
    func direct() async throws {
        let other = try PtyReader("none")
        let bus = try await MockReader("\(chip)\(other.node)@cp210x")
        let file = try usbSerial("usb:10c4:ea60", "qpos", isDirect: true)
        for _ in 0..<2 {
            let ended = try await bus.run("probe", "--json", "--intrusive", "--config", file)
            #expect(ended.status == 0, "\(ended)")
            let found = try readers(ended)
            #expect(found.map(\.id) == ["usb:10c4:ea60:0001"] && found.map(\.node) == ["/dev/bus/usb/001/002"])
            #expect(found.first?.line["tty"] as? String == "/dev/ttyUSB0")
            #expect(found.first?.line["kernelDriver"] as? String == "cp210x")
        }
        // Any of its names chooses it.
        let sale = try await bus.run(
            "sale", "--amount", "1.00", "--json", "--config", file, "--reader", "/dev/ttyUSB0")
        #expect(sale.status == 0, "\(sale)")
        #expect(other.written == 0)
        await bus.close()
        await other.close()
    }
}

/// A configuration that names a chip.
func usbSerial(_ device: String, _ family: String, baud: Int = 115_200, isDirect: Bool = false) throws -> String {
    let entry = #"{"device":"\#(device)","family":"\#(family)","baud":\#(baud),"direct":\#(isDirect)}"#
    let file = try Workbench.mine().path("usb-serial-\(baud)-\(isDirect).json")
    try Data(#"{"readers":{"usbSerial":[\#(entry)]}}"#.utf8).write(to: URL(fileURLWithPath: file))
    return file
}
