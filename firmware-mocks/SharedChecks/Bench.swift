public import Transport

/// A reader as the bench sees it, unopened.
public struct BenchDevice: Sendable, Hashable {
    /// The port it is plugged into: the same after a replug.
    public var portPath: String
    /// Another one at every plug.
    public var deviceNumber: Int
    public var vendorId: UInt16
    public var productId: UInt16
    public var serial: String?
    /// The device descriptor and its configurations.
    public var descriptors: [UInt8]

    public init(
        portPath: String, deviceNumber: Int, vendorId: UInt16, productId: UInt16, serial: String?, descriptors: [UInt8]
    ) {
        self.portPath = portPath
        self.deviceNumber = deviceNumber
        self.vendorId = vendorId
        self.productId = productId
        self.serial = serial
        self.descriptors = descriptors
    }
}

/// What a rung gives the checks: a way to find, open and watch the reference reader, and measures of this process.
public protocol Bench: Sendable {
    var rung: Rung { get }
    /// The clock of the deadlines. One on which time passes by itself: checks have several tasks waiting at once.
    var clock: any MonotonicClock { get }

    /// Starts the libraries and the monitor. Called once, before everything else.
    func start() async throws

    /// What is plugged in, by a scan without monitor.
    func scan() async throws -> [BenchDevice]

    /// What is plugged in, as the monitor knows it.
    func present() async throws -> [BenchDevice]

    /// Waits until what is plugged in satisfies `condition`, and returns it; nil when the deadline comes first.
    func present(
        until deadline: Deadline, where condition: @escaping @Sendable ([BenchDevice]) -> Bool
    ) async throws -> [BenchDevice]?

    /// Opens a device and claims its interface, taking it from a kernel driver only if `detachingDriver` is set.
    func open(
        _ device: BenchDevice, detachingDriver: Bool, until deadline: Deadline
    ) async throws(TransportError) -> any Transport

    /// Gives the bus or the firmware of one port a steering command, as fwmockd knows them. Throws `CheckSkip` where
    /// nothing can be steered.
    func steer(_ command: String, at device: BenchDevice) async throws

    /// Processor time that this process has used; nil when it says nothing about the code under test.
    func processorTime() -> Duration?

    /// Descriptors that this process has open; nil when that says nothing about the code under test.
    func openDescriptors() -> Int?

    /// Resident memory of this process, bytes; nil when that says nothing about the code under test.
    func residentMemory() -> Int?

    /// Ends everything.
    func finish() async
}

extension Bench {
    func open(_ device: BenchDevice, until deadline: Deadline) async throws(TransportError) -> any Transport {
        try await open(device, detachingDriver: true, until: deadline)
    }
}
