import EMV
import Readers
import Transport

/// A card in a reader that passes APDUs: carries the kernel's commands to the card and its answers back, until the kernel
/// stops.
struct ChipDialogue: CardDialogue {
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

    var invitation: PaymentProgress? { .insertCard }

    var acknowledgement: PaymentProgress? { .doNotRemoveCard }

    var facts: CardFacts { .kernel(KernelSnapshot(kernel)) }

    mutating func waitForCard(
        _ patience: CardPatience, progress: @escaping @Sendable (PaymentProgress) -> Void
    ) async throws(ReaderError) {
        try await reader.waitForCard(until: patience.cardWait)
    }

    mutating func start(
        until deadline: Deadline, allowing: (CardFacts) async -> Bool
    ) async throws(ReaderError) -> CardStop {
        _ = try await reader.powerOnCard(until: deadline)
        return try await run(kernel.start(), until: deadline, allowing)
    }

    mutating func resume(
        _ answer: HostAnswer, until deadline: Deadline, allowing: (CardFacts) async -> Bool,
        meanwhile errand: Errand<Bool>?
    ) async throws(ReaderError) -> CardStop {
        try await run(kernel.hostAnswered(answer), until: deadline, allowing, meanwhile: errand)
    }

    func end() async {
        await reader.powerOffCard()
    }

    mutating func wipe() {
        kernel.wipe()
    }

    private mutating func run(
        _ first: KernelStep, until deadline: Deadline, _ allowing: (CardFacts) async -> Bool,
        meanwhile errand: Errand<Bool>? = nil
    ) async throws(ReaderError) -> CardStop {
        var step = first
        while true {
            switch step {
            case .transmit(let command):
                step = kernel.receive(try await transmit(command, until: deadline, meanwhile: errand))
            case .chooseApplication(let candidates):
                step = kernel.applicationChosen(await cardholder.choose(candidates, until: deadline))
            case .askForPIN(let request):
                step = kernel.pinAnswered(await cardholder.enterPIN(request, until: deadline))
            case .approveOffline:
                step = kernel.offlineApprovalAnswered(await allowing(facts))
            case .goOnline:
                return .host
            case .finished(let outcome):
                return .finished(outcome)
            }
        }
    }

    private func transmit(
        _ command: CommandAPDU, until deadline: Deadline, meanwhile errand: Errand<Bool>?
    ) async throws(ReaderError) -> ResponseAPDU {
        guard let errand else { return try await reader.transmit(command, until: deadline) }
        return try await errand.done { [reader] () throws(ReaderError) in
            try await reader.transmit(command, until: deadline)
        }
    }
}
