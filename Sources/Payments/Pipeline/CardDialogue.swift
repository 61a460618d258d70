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

    mutating func start(until deadline: Deadline) async throws(ReaderError) -> Stop {
        try await run(kernel.start(), until: deadline)
    }

    mutating func resume(_ answer: HostAnswer, until deadline: Deadline) async throws(ReaderError) -> Stop {
        try await run(kernel.hostAnswered(answer), until: deadline)
    }

    mutating func wipe() {
        kernel.wipe()
    }

    private mutating func run(_ first: KernelStep, until deadline: Deadline) async throws(ReaderError) -> Stop {
        var step = first
        while true {
            switch step {
            case .transmit(let command):
                step = kernel.receive(try await reader.transmit(command, until: deadline))
            case .chooseApplication(let candidates):
                step = kernel.applicationChosen(await cardholder.choose(candidates, until: deadline))
            case .askForPIN(let request):
                step = kernel.pinAnswered(await cardholder.enterPIN(request, until: deadline))
            case .goOnline:
                return .host
            case .finished(let outcome):
                return .finished(outcome)
            }
        }
    }
}
