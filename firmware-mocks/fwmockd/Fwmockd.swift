import Glibc
import UMockdevBed

@main
enum Fwmockd {
    static func main() {
        exit(run(Array(CommandLine.arguments.dropFirst())))
    }

    private static func run(_ words: [String]) -> Int32 {
        let arguments: Arguments
        let script: Script
        do {
            arguments = try Arguments(words)
            script = try arguments.scriptPath.map { try Script(path: $0) } ?? Script()
        } catch let error as Arguments.Misuse {
            Output.message(error.sentence + "; see fwmockd --help")
            return ExitStatus.misuse
        } catch {
            Output.message((error as? Script.Malformed)?.sentence ?? "\(error)")
            return ExitStatus.misuse
        }
        if arguments.wantsHelp {
            Output.line(HelpText.text)
            return 0
        }
        Signals.block()
        do throws(MockBusError) {
            return try serve(arguments, script)
        } catch {
            Output.message(error.description)
            return switch error {
            case .missingPrerequisite: ExitStatus.missingPrerequisite
            case .refused: ExitStatus.misuse
            case .system: ExitStatus.mockFailed
            }
        }
    }

    private static func serve(_ arguments: Arguments, _ script: Script) throws(MockBusError) -> Int32 {
        let bus = try MockBus(root: arguments.root)
        defer { bus.close() }
        for spec in arguments.devices { try bus.plug(spec) }
        let control: ControlServer? = if let path = arguments.controlPath { try ControlServer(path: path) } else { nil }
        defer { control?.close() }
        if let control, !control.start(on: bus) { return ExitStatus.mockFailed }
        let status =
            arguments.program.isEmpty
            ? Daemon.run(bus)
            : ProgramRun(bus: bus, program: arguments.program, script: script, limit: arguments.limit).run()
        let complaints = bus.complaints
        for complaint in complaints { Output.message("complaint: \(complaint)") }
        return status == 0 && !complaints.isEmpty ? ExitStatus.complaints : status
    }
}
