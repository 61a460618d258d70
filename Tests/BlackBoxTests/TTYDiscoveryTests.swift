import Foundation
import Testing

/// Serial ports as the real libudev shows them, on a mocked bus.
@Suite(.blackBox, .enabled(if: Prerequisites.rungTwo == nil, "\(Prerequisites.rungTwo ?? "")"))
struct TTYDiscoveryTests {
    private func linecheck(_ argument: String) -> Program {
        Program(Prerequisites.product("linecheck"), [argument])
    }

    @Test("a port is found with its driver, its USB device and its stable names")
    func coldPlug() async throws {
        let bus = try await MockReader(
            "reference:tty=ttyACM0@/dev/null@cdc_acm,property=ID_MM_CANDIDATE=1",
            "reference:serial=R0002,port=1-4,tty=ttyUSB3@/dev/null@ftdi_sio,property=ID_MM_DEVICE_IGNORE=1",
            "reference:serial=R0003,port=1-5")
        let found = try await Workbench.mine().run(bus.seen(by: linecheck("ttys")))
        let byId = "/dev/serial/by-id/usb-Mock_Works_Card_Reader_R000"
        let byPath = "/dev/serial/by-path/pci-0000:00:14.0"
        #expect(
            found.output == """
                /dev/ttyACM0 cdc_acm 1209:1 1-1 R0001 0 \(byId)1-if00 \(byId)1-if00 \(byPath)-usb-0:1:1.0 modem=true \
                ID_MM_CANDIDATE=1 ID_PATH=pci-0000:00:14.0-usb-0:1:1.0
                /dev/ttyUSB3 ftdi_sio 1209:1 1-4 R0002 0 \(byId)2-if00 \(byId)2-if00 \(byPath)-usb-0:4:1.0 modem=false \
                ID_MM_DEVICE_IGNORE=1 ID_PATH=pci-0000:00:14.0-usb-0:4:1.0

                """)
        #expect(found.status == 0, "\(found)")
        await bus.close()
    }

    @Test("present before the start, plugged in and plugged out: each is told once, and a replug is a new arrival")
    func hotPlug() async throws {
        let bus = try await MockReader("reference:tty=ttyACM0@/dev/null@cdc_acm", "reference:serial=R0002,port=1-2")
        var program = bus.seen(by: linecheck("watch"))
        program.inputFile = nil
        let watch = try Workbench.mine().start(program)
        #expect(await watch.line() == "arrived /dev/ttyACM0 1-1")
        // A device without a tty is none.
        try await bus.steer("1-2 unplug")
        try await bus.steer("1-1 unplug")
        #expect(await watch.line() == "departed /dev/ttyACM0 1-1")
        try await bus.steer("1-1 plug")
        #expect(await watch.line() == "arrived /dev/ttyACM0 1-1")
        try await bus.steer("device reference:serial=R0003,port=1-3,tty=ttyUSB0@/dev/null@cp210x")
        #expect(await watch.line() == "arrived /dev/ttyUSB0 1-3")
        watch.closeInput()
        #expect(await watch.end().status == 0)
        await bus.close()
    }

    @Test("without a bus there are no ports but those that are built in")
    func nothing() async throws {
        let bus = try await MockReader("reference")
        let found = try await Workbench.mine().run(bus.seen(by: linecheck("ttys")))
        #expect(found.output == "")
        #expect(found.status == 0)
        await bus.close()
    }
}
