import BERTLV
import Crypto
import Testing

@testable import EMV
@testable import FirmwareCores

/// The kernel and a simulated card, to the end, with whatever a test changes on the way.
struct CardDialogue {
    /// Sees each command and may change its answer.
    typealias Change = (CommandAPDU, inout ResponseAPDU) -> Void

    private(set) var kernel: ContactKernel
    private(set) var commands: [String] = []
    private(set) var answers: [ResponseAPDU] = []
    private(set) var requests: [PINRequest] = []
    private(set) var wentOnline = false
    private(set) var outcome: KernelOutcome?

    /// - Parameters:
    ///   - pins: answers in turn; then the pad fails.
    init(
        _ chip: EMVCardCore, terminal: TerminalConfiguration, transaction: TransactionData? = nil,
        host: HostAnswer = Self.approval, pins: [PINAnswer] = [], change: Change = Self.nothing
    ) throws {
        kernel = ContactKernel(terminal: terminal, transaction: try transaction ?? AuthenticatedCard.transaction())
        _ = try #require(chip.powerOn())
        var pins = pins[...]
        var step = kernel.start()
        while outcome == nil {
            try #require(commands.count < 200)
            switch step {
            case .transmit(let command):
                commands.append(hex(command.bytes))
                var answer = try chip.answer(command)
                change(command, &answer)
                answers.append(answer)
                step = kernel.receive(answer)
            case .chooseApplication: step = kernel.applicationChosen(0)
            case .askForPIN(let request):
                requests.append(request)
                step = kernel.pinAnswered(pins.popFirst() ?? .padFailed)
            case .approveOffline: step = kernel.offlineApprovalAnswered(true)
            case .goOnline:
                wentOnline = true
                step = kernel.hostAnswered(host)
            case .finished(let end): outcome = end
            }
        }
    }

    static var nothing: Change { { _, _ in } }

    static let approval = HostAnswer.answered(responseCode: Array("00".utf8), isApproved: true, issuerData: [])

    /// A kiosk that knows the test keys. `methods` is byte 3, `verification` byte 2 of 9F33.
    static func terminal(methods: UInt8 = 0xC8, verification: UInt8 = 0x08) throws -> TerminalConfiguration {
        var terminal = TerminalConfiguration.mexicanKiosk
        terminal.capabilities = try #require(TerminalCapabilities(bytes: [0x60, verification, methods]))
        terminal.certificationAuthorityKeys = try .test()
        return terminal
    }

    /// One that may decide by itself about payments below 1,000.00.
    static func offlineTerminal(methods: UInt8 = 0xC8) throws -> TerminalConfiguration {
        var terminal = try terminal(methods: methods)
        terminal.terminalType = .unattendedOfflineWithOnline
        for index in terminal.applications.indices { terminal.applications[index].floorLimit = 100_000 }
        return terminal
    }

    func value(_ tag: BERTLV.Tag) -> String? { kernel.value(of: tag).map(hex) }

    /// The commands with this instruction.
    func commands(_ instruction: String) -> [String] {
        commands.filter { $0.dropFirst(2).hasPrefix(instruction) }
    }

    /// Changes one bit in the value of an object, in the answer number `occurrence` that has it.
    static func oneBit(of tag: BERTLV.Tag, occurrence: Int = 1) -> Change {
        var seen = 0
        return { _, answer in
            guard let node = TLVTree(parsing: answer.data).firstNode(tag), !node.valueRange.isEmpty else { return }
            seen += 1
            guard seen == occurrence else { return }
            answer.data[node.valueRange.lowerBound + node.valueRange.count / 2] ^= 0x04
        }
    }

    /// Gives an object a tag that nobody knows, so that the card lacks it.
    static func without(_ tag: BERTLV.Tag) -> Change {
        { _, answer in
            guard let node = TLVTree(parsing: answer.data).firstNode(tag) else { return }
            // 90 -> D0, 9F46 -> DF46: the private class.
            answer.data[node.offset] |= 0x40
        }
    }
}

extension EMVCardCore {
    /// A card like a built-in one that would approve offline.
    static func approvingOffline(like name: String) throws -> EMVCardCore {
        let file = #"{ "name": "test", "like": "\#(name)", "behaviour": { "approvesOffline": true } }"#
        let all = [FirmwareCores.PackageResources.mastercard_cda_json, FirmwareCores.PackageResources.visa_dda_json]
        let profiles = try CardProfile.read(all + [Array(file.utf8)])
        return EMVCardCore(profile: try #require(profiles.last))
    }
}
