import BERTLV

/// Carries out the issuer's scripts of one phase, command by command (Book 3, 10.10), and notes the results for the host.
struct ScriptProcessing: Sendable {
    enum Step: Sendable {
        case transmit(CommandAPDU)
        case done
    }

    private let scripts: [IssuerScript]
    private let phase: IssuerScript.Phase
    private var script = 0
    private var command = 0

    init(_ scripts: [IssuerScript], phase: IssuerScript.Phase) {
        self.scripts = scripts.filter { $0.phase == phase }
        self.phase = phase
    }

    mutating func start(_ context: inout TransactionContext) -> Step {
        if !scripts.isEmpty { context.tsi.performed(.scriptProcessing) }
        return next(&context)
    }

    /// 90xx, 62xx and 63xx are success; anything else ends this script, and the next one begins.
    mutating func receive(_ response: ResponseAPDU, _ context: inout TransactionContext) -> Step {
        let isSuccess = response.status.sw1 == 0x90 || response.status.isWarning
        if isSuccess {
            command += 1
        } else {
            end(.failed(command: command + 1), &context)
        }
        return next(&context)
    }

    private mutating func next(_ context: inout TransactionContext) -> Step {
        while script < scripts.count {
            guard let commands = scripts[script].commands else {
                end(.notPerformed, &context)
                continue
            }
            if command < commands.count { return .transmit(commands[command]) }
            end(.successful, &context)
        }
        return .done
    }

    private enum Result {
        case notPerformed, successful
        case failed(command: Int)
    }

    /// One result of five bytes for tag 9F5B (Annex A, Issuer Script Results).
    private mutating func end(_ result: Result, _ context: inout TransactionContext) {
        let first: UInt8
        switch result {
        case .notPerformed: first = 0x00
        case .failed(let command): first = 0x10 | UInt8(min(command, 15))
        case .successful: first = 0x20
        }
        if first != 0x20 {
            context.tvr.set(
                phase == .beforeFinalCryptogram ? .scriptFailedBeforeFinalAC : .scriptFailedAfterFinalAC)
        }
        context.scriptResults += [first] + scripts[script].identifier
        script += 1
        command = 0
    }
}
