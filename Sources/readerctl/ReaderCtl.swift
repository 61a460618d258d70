import Glibc

/// The command line of ReaderKit: parse, call, print.
@main
enum ReaderCtl {
    /// The main thread takes the signals; everything else happens in tasks. Nothing here may be bound to the main actor.
    static func main() {
        StandardDescriptors.prepare()
        InterruptHandler.block()
        Task.detached {
            let status = await CommandRunner(console: Console()).run(Array(CommandLine.arguments.dropFirst()))
            exit(status.rawValue)
        }
        InterruptHandler.serve()
    }
}
