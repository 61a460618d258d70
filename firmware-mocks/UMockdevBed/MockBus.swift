public import FirmwareCores
import Glibc
import Synchronization

/// A USB bus of firmware cores for an unmodified program that uses the real libusb and libudev. The program is started with
/// `environment` added to its own: umockdev's preload then shows it the devices of this bus, and nothing else, below `/sys`
/// and `/dev/bus/usb`.
///
/// One bus serves one client process. Everything may be called from any thread.
public final class MockBus: Sendable {
    /// The testbed's directory.
    public let root: String
    /// The umockdev that was found.
    public let installation: UMockdevInstallation
    private let engine: BusEngine

    /// Builds the testbed with an empty root hub and starts serving.
    ///
    /// - Parameter root: a directory that is absent or empty; nil makes a temporary one.
    /// - Throws: `MockBusError.missingPrerequisite` when umockdev is absent or of an unknown version.
    public init(root: String? = nil) throws(MockBusError) {
        installation = try UMockdevInstallation.find()
        let testbed = try Testbed(at: root)
        self.root = testbed.root
        do throws(MockBusError) {
            try testbed.makeSkeleton()
            engine = try BusEngine(bed: Bed(testbed: testbed))
            try engine.start()
        } catch {
            testbed.removeEverything()
            throw error
        }
    }

    deinit {
        close()
    }

    /// What the client's environment needs. An LD_PRELOAD of this process is kept, behind umockdev's.
    public var environment: [(name: String, value: String)] {
        let present = getenv("LD_PRELOAD").map { String(cString: $0) } ?? ""
        let library = UMockdevInstallation.libraryName
        return [
            ("LD_PRELOAD", present.isEmpty ? library : library + ":" + present),
            ("UMOCKDEV_DIR", root),
        ]
    }

    /// Plugs in the device that a specification names. Answers the port.
    ///
    /// Options of the bus itself: `access-denied=MS`, `driver=NAME`, `capabilities=0xMASK`, `delay=MS`, `property=NAME=VALUE`,
    /// `tty=NAME@TARGET@DRIVER`, `plugged=no`.
    /// - Throws: `MockBusError.refused` for a wrong option or a taken port.
    @discardableResult
    public func plug(_ spec: DeviceSpec) throws(MockBusError) -> String {
        var options = spec.options
        var faults = BusFaults()
        for (option, words) in [
            ("access-denied", ["access", "denied"]), ("driver", ["driver"]), ("capabilities", ["capabilities"]),
            ("delay", ["delay"]), ("property", ["property"]), ("tty", ["tty"]),
        ] {
            guard let value = options.removeValue(forKey: option) else { continue }
            if let complaint = faults.steer(words + [value]) { throw .refused("option '\(option)': \(complaint)") }
        }
        let plugged = options.removeValue(forKey: "plugged") ?? "yes"
        guard ["yes", "no"].contains(plugged) else { throw .refused("option 'plugged' is yes or no") }
        let coreSpec = DeviceSpec(family: spec.family, options: options)
        return try add(at: spec.port, faults: faults, isPlugged: plugged == "yes") { () throws(MockBusError) in
            do throws(CoreOptionError) {
                return try CoreFactory.make(coreSpec)
            } catch {
                throw .refused(error.description)
            }
        }
    }

    /// Plugs in a core of the caller's own making. The closure makes it on the bus's side of the lock, since a core is not
    /// to be shared.
    ///
    /// - Parameter port: `1-1` to `1-15`; nil takes the first free one.
    @discardableResult
    public func plug(
        port: String? = nil, core: @Sendable () -> any FirmwareCore
    ) throws(MockBusError) -> String {
        try add(at: port, faults: BusFaults(), isPlugged: true) { () throws(MockBusError) in core() }
    }

    /// The device leaves the bus. Nothing happens when it already has.
    public func unplug(port: String) throws(MockBusError) {
        try steer(port: port, command: "unplug")
    }

    /// The device comes back, with a new device number. Nothing happens when it is there.
    public func replug(port: String) throws(MockBusError) {
        try steer(port: port, command: "plug")
    }

    /// A steering command. Those of the bus: `unplug`, `plug`, `errno OPERATION NAME|none [COUNT]`, `access denied MS`,
    /// `access granted`, `driver NAME|none`, `capabilities 0xMASK`, `delay MS`, `property NAME=VALUE|none`,
    /// `tty NAME@TARGET@DRIVER|none`. Everything else is the core's.
    ///
    /// - Throws: `MockBusError.refused` with a sentence that says what was not understood.
    public func steer(port: String, command: String) throws(MockBusError) {
        defer { engine.wake() }
        try engine.bed.withLock { bed throws(MockBusError) in try bed.steer(port: port, command: command) }
    }

    /// What a correct client and a correct model of the kernel would not have met, for example an unknown ioctl. A run
    /// with complaints has failed.
    public var complaints: [String] {
        engine.bed.withLock { $0.complaints }
    }

    /// Why the bus has stopped serving of its own accord; nil while it serves.
    public var failureReason: String? { engine.failureReason }

    /// Stops serving and removes the testbed. The client should have ended: the preload ends a client whose bus goes away.
    public func close() {
        engine.stop()
        engine.bed.withLock { $0.closeEverything() }
    }

    private func add(
        at port: String?, faults: BusFaults, isPlugged: Bool,
        making core: @Sendable () throws(MockBusError) -> any FirmwareCore
    ) throws(MockBusError) -> String {
        defer { engine.wake() }
        return try engine.bed.withLock { bed throws(MockBusError) in
            let place = if let port { port } else { try bed.freePort() }
            try bed.add(try core(), at: place, faults: faults, isPlugged: isPlugged)
            return place
        }
    }
}
