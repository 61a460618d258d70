import EMV
import Readers
import Transport

/// Carries the kernel's commands to the card and its answers back, until the kernel stops: for the issuer, or for good.
struct CardDialogue: Sendable {
    enum Stop: Sendable {
        case host
        case finished(KernelOutcome)
    }

    private(set) var kernel: ContactKernel
    private let reader: any ChipReader
    private let cardholder: any CardholderInterface

    init(
        kernel: ContactKernel, reader: any ChipReader, cardholder: any CardholderInterface = NoCardholderInterface()
    ) {
        self.kernel = kernel
        self.reader = reader
        self.cardholder = cardholder
    }

    /// - Parameter allowing: whether the card may be asked for a TC without the issuer.
    mutating func start(
        until deadline: Deadline, allowing: (ContactKernel) async -> Bool = { _ in false }
    ) async throws(ReaderError) -> Stop {
        try await run(kernel.start(), until: deadline, allowing)
    }

    mutating func resume(
        _ answer: HostAnswer, until deadline: Deadline, allowing: (ContactKernel) async -> Bool = { _ in false }
    ) async throws(ReaderError) -> Stop {
        try await run(kernel.hostAnswered(answer), until: deadline, allowing)
    }

    mutating func wipe() {
        kernel.wipe()
    }

    private mutating func run(
        _ first: KernelStep, until deadline: Deadline, _ allowing: (ContactKernel) async -> Bool
    ) async throws(ReaderError) -> Stop {
        var step = first
        while true {
            switch step {
            case .transmit(let command):
                step = kernel.receive(try await reader.transmit(command, until: deadline))
            case .chooseApplication(let candidates):
                step = kernel.applicationChosen(await cardholder.choose(candidates, until: deadline))
            case .askForPIN(let request):
                step = kernel.pinAnswered(await cardholder.enterPIN(request, until: deadline))
            case .approveOffline:
                step = kernel.offlineApprovalAnswered(await allowing(kernel))
            case .goOnline:
                return .host
            case .finished(let outcome):
                return .finished(outcome)
            }
        }
    }
}
