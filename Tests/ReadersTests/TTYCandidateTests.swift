import Discovery
import Testing
import Transport

@testable import Readers

/// Which serial ports may be written to.
struct TTYCandidateTests {
    private func port(
        _ name: String, _ vendor: UInt16, _ product: UInt16 = 1, manufacturer: String? = nil, serial: String? = nil,
        at sysname: String = "1-1", interface: UInt8 = 0, properties: [String: String] = [:]
    ) -> DiscoveredTTY {
        DiscoveredTTY(
            syspath: "/sys/" + name, sysname: name, node: "/dev/" + name,
            linksByPath: ["/dev/serial/by-path/" + sysname],
            usb: DiscoveredTTY.USBParent(
                syspath: "/sys/" + sysname, sysname: sysname, deviceNumber: 1, vendorId: vendor, productId: product,
                manufacturer: manufacturer, serial: serial, interface: interface),
            properties: properties)
    }

    private func all(
        _ ports: [DiscoveredTTY], configured: [ConfiguredTTY] = [], ignored: Set<String> = [],
        isIntrusive: Bool = false
    ) -> [TTYCandidate] {
        TTYCandidate.all(
            configured: configured, present: ports, ignoredDevices: ignored, isIntrusive: isIntrusive)
    }

    @Test func `vendors of readers are known, chips that everything has are not`() {
        let families: [ReaderFamily?] = [
            (0x0ACD, 0x3530, nil), (0x0ACD, 0x0300, nil), (0x2DDA, 1, nil), (0x11CA, 1, nil),
            (0x0525, 0xA4A7, "Miura Systems"), (0x0525, 0xA4A7, "Linux"), (0x0403, 0x6001, "FTDI"),
            (0x1A86, 0x7523, nil),
        ].map { (vendor: Int, product: Int, manufacturer: String?) in
            all([port("ttyACM0", UInt16(vendor), UInt16(product), manufacturer: manufacturer)]).first?.family
        }
        #expect(families == [.neo2, nil, .mpi, .mpi, .mpi, nil, nil, nil])
    }

    @Test func `a port that nobody knows is asked only by an intrusive search, an ignored one never`() {
        let unknown = port("ttyUSB0", 0x0403)
        #expect(all([unknown]).isEmpty)
        #expect(all([unknown], isIntrusive: true).map(\.reason) == [.intrusive])
        #expect(all([unknown], ignored: ["1-1"], isIntrusive: true).isEmpty)
        let mine = port("ttyACM0", 0x2DDA, properties: ["READERKIT_IGNORE": "1"])
        #expect(all([mine], isIntrusive: true).isEmpty)
        // A port that is built in belongs to nobody knows what.
        let builtIn = DiscoveredTTY(syspath: "/sys/s", sysname: "ttyS0", node: "/dev/ttyS0")
        #expect(all([builtIn], isIntrusive: true).isEmpty)
    }

    @Test func `the configuration goes before the catalogue, and a port is there once`() {
        let tty = ConfiguredTTY(path: "/dev/null", family: .qpos, baud: .b9600)
        var known = port("null", 0x2DDA, serial: "M1")
        let found = all([known], configured: [tty, tty])
        #expect(found.map(\.reason) == [.configured] && found.map(\.family) == [.qpos])
        #expect(found.map(\.speed) == [.b9600] && found.map(\.id) == ["tty:2dda:0001:M1"])
        known.node = "/dev/other"
        #expect(all([known], configured: [tty]).map(\.id) == ["tty:/dev/null", "tty:2dda:0001:M1"])
        let absent = ConfiguredTTY(path: "/dev/no-such-port", family: .qpos, baud: .b9600)
        #expect(all([], configured: [absent]).isEmpty)
    }

    @Test func `an id is made of the serial number, the interface of several, else of the place`() {
        #expect(all([port("a", 0x2DDA, serial: "7")]).map(\.id) == ["tty:2dda:0001:7"])
        #expect(
            all([port("a", 0x2DDA, serial: "7"), port("b", 0x2DDA, serial: "7", interface: 2)]).map(\.id)
                == ["tty:2dda:0001:7:0", "tty:2dda:0001:7:2"])
        #expect(
            all([port("a", 0x2DDA, serial: "7"), port("b", 0x2DDA, serial: "7", at: "1-2")]).map(\.id)
                == ["tty:/dev/serial/by-path/1-1", "tty:/dev/serial/by-path/1-2"])
        #expect(all([port("a", 0x2DDA, serial: "0000")]).map(\.id) == ["tty:/dev/serial/by-path/1-1"])
    }
}
