public import Transport

/// Where readers come from: the USB bus, serial ports, or a simulation.
public protocol ReaderSource: Sendable {
    /// What is there now.
    func scan() async throws(ReaderError) -> [FoundReader]

    /// Opens one of them. The caller closes it.
    func open(_ reader: FoundReader, until deadline: Deadline) async throws(ReaderError) -> OpenedReader

    /// What can be said about a reader without opening it, and what stands in the way of opening it.
    func inspect(_ reader: FoundReader) async -> ReaderInspection

    /// The programs or the kernel driver that hold a reader, for people; nil when nobody can be named. Costs a look at every
    /// process, so it is asked only about a reader that is busy.
    func holder(of reader: FoundReader) async -> String?

    /// Why a reader may not answer, by trying what could be otherwise (the speed of its line); nil: nothing was found out.
    func explainSilence(of reader: FoundReader) async -> ReaderProblem?

    /// One element after each change of what is there; ends with the source.
    func changes() async throws(ReaderError) -> AsyncStream<Void>

    /// Frees the bus. Readers are closed before.
    func close() async
}

extension ReaderSource {
    public func explainSilence(of reader: FoundReader) async -> ReaderProblem? { nil }
}

/// What a look at descriptors and access rights tells.
public struct ReaderInspection: Sendable, Hashable {
    public var firmware: String?
    public var capabilities: [String]
    public var problems: [ReaderProblem]
    /// What to say if opening it turns out to be denied: node, owner, mode, and the command that fixes it.
    public var denial: ReaderProblem?
    /// What to say if it turns out to be held, by a driver of the kernel.
    public var kernelDriver: ReaderProblem?

    public init(
        firmware: String? = nil, capabilities: [String] = [], problems: [ReaderProblem] = [],
        denial: ReaderProblem? = nil, kernelDriver: ReaderProblem? = nil
    ) {
        self.firmware = firmware
        self.capabilities = capabilities
        self.problems = problems
        self.denial = denial
        self.kernelDriver = kernelDriver
    }
}
