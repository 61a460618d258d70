import Foundation
import Serial
import Testing
import Transport

/// `readerctl bridge` on USB-serial chips that no driver of the kernel serves, through the real libusb.
@Suite(.blackBox, .enabled(if: Prerequisites.rungTwo == nil, "\(Prerequisites.rungTwo ?? "")"))
struct USBSerialBridgeTests {
    private var soon: Deadline { .after(.seconds(60), on: SystemMonotonicClock.shared) }

    /// A serial port of the kernel's, on which a program finds its bytes come back.
    private func expectEcho(at link: String, _ count: Int) async throws {
        let context = SerialContext()
        let client = try await context.open(link, SerialSettings(baud: .b115200), until: soon)
        try await BlackBoxTests.expectEcho(on: client, count: count)
        await context.shutdown()
    }

    @Test(
        "the reader's id, its device's node, its port and nothing at all find the chip; 64 KiB come back",
        arguments: [
            ("cp210x", ["--reader", "usb:10c4:ea60:0001"]), ("ftdi", ["--reader", "usb:0403:6001"]),
            ("ch34x", ["--reader", "/dev/bus/usb/001/002"]), ("pl2303", ["--port", "1-1"]), ("cdc-acm", []),
        ])
    func names(chip: String, options: [String]) async throws {
        let bus = try await MockReader(chip)
        let link = try Workbench.mine().path("link")
        let bridge = try await BridgeProcess(options + ["--pty", link], on: bus)
        try await expectEcho(at: link, 65_536)
        let ended = await bridge.interrupt()
        #expect(ended.status == 0, "\(ended)")
        await bus.close()
    }

    @Test("the chip leaves and comes back: told, and the client's port lives")
    func replug() async throws {
        let bus = try await MockReader("ftdi")
        let link = try Workbench.mine().path("link")
        let bridge = try await BridgeProcess(["--port", "1-1", "--pty", link], on: bus)
        try await expectEcho(at: link, 100)
        try await bus.steer("1-1 unplug")
        try await bridge.says("The reader has left. Waiting for it at USB port 1-1.")
        try await bus.steer("1-1 plug")
        try await bridge.says("The reader is back.")
        try await expectEcho(at: link, 100)
        #expect(await bridge.interrupt().status == 0)
        await bus.close()
    }

    @Test(
        "pyserial sets speed, format, flow control and lines of the chip by RFC 2217",
        .enabled(if: Prerequisites.pyserial == nil, "\(Prerequisites.pyserial ?? "")"), arguments: ["cp210x", "ftdi"])
    func rfc2217(chip: String) async throws {
        let bus = try await MockReader(chip)
        for action in ["settings", "lines"] {
            let bridge = try await BridgeProcess(["--tcp", "127.0.0.1:0", "--rfc2217"], on: bus)
            var program = Program(
                Prerequisites.judgesPython,
                [Prerequisites.checkout + "/Tests/Judges/rfc2217.py", action, "rfc2217://\(bridge.address)"])
            program.limit = 180
            let ended = try await run(program)
            #expect(ended.status == 0 && ended.output == "ok\n", "\(action): \(ended)")
            #expect(await bridge.interrupt().status == 0)
        }
        await bus.close()
    }

    @Test("a reader at a chip answers through the bridge only at the speed that RFC 2217 has set")
    func speed() async throws {
        let bus = try await MockReader("ftdi:device=neo2,speed=19200")
        let bridge = try await BridgeProcess(["--tcp", "127.0.0.1:0", "--rfc2217"], on: bus)
        let socket = try SocketClient(bridge.address)
        // Binary both ways and the com port option; then SET-BAUDRATE 19200 and its answer.
        socket.send([255, 251, 0, 255, 253, 0, 255, 251, 44])
        socket.send([255, 250, 44, 1, 0, 0, 0x4B, 0, 255, 240])
        #expect(socket.receive(until: [255, 250, 44, 101, 0, 0, 0x4B, 0, 255, 240]))
        // Ping, and its answer: the vendor's documents, as in NEO2FrameTests.
        let header = Array("ViVOtech2\0".utf8)
        socket.send(header + [0x18, 0x01, 0x00, 0x00, 0xB3, 0xCD])
        #expect(socket.receive(until: header + [0x18, 0x00, 0x00, 0x00, 0xFA, 0x83]))
        socket.close()
        #expect(await bridge.interrupt().status == 0)
        await bus.close()
    }

    @Test("a driver of the kernel in the way is exit 4 with its name; the configuration lets the bridge take the chip")
    func kernelDriver() async throws {
        let bus = try await MockReader("cp210x:driver=cp210x")
        let link = try Workbench.mine().path("link")
        let held = try await bus.run("bridge", "--port", "1-1", "--pty", link)
        #expect(held.status == 4)
        #expect(held.errors.contains("the kernel driver cp210x has it"))
        let file = try usbSerial("usb:10c4:ea60", "qpos", isDirect: true)
        let bridge = try await BridgeProcess(["--port", "1-1", "--pty", link, "--config", file], on: bus)
        try await expectEcho(at: link, 100)
        #expect(await bridge.interrupt().status == 0)
        await bus.close()
    }

    @Test("a chip that may not be opened is exit 4, and what to do; one that is not there exit 3")
    func cannotBegin() async throws {
        let bus = try await MockReader("cp210x:access-denied=3600000")
        let link = try Workbench.mine().path("link")
        let denied = try await bus.run("bridge", "--port", "1-1", "--pty", link)
        #expect(denied.status == 4)
        #expect(
            denied.errors.contains(
                "access to /dev/bus/usb/001/002 is denied; 'readerctl probe --intrusive' names the fix"))
        let none = try await bus.run("bridge", "--reader", "usb:0403:6001", "--pty", link)
        #expect(none.status == 3)
        await bus.close()
    }
}
