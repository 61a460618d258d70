import Foundation

extension Prerequisites {
    /// libfaketime itself: the program `faketime` stays between a program and its signals.
    static let faketimeLibrary: String? = [
        "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib", "/usr/lib64",
    ].map { $0 + "/faketime/libfaketime.so.1" }.first { FileManager.default.fileExists(atPath: $0) }
}

extension Program {
    /// The clock is shifted, and signals reach the program itself: `env` becomes it. (libfaketime changes the environment
    /// of the first program that it is loaded into, and a Swift program finds its arguments by its environment.)
    func shifted(_ shift: String, by library: String) -> Program {
        var shifted = started(by: "env")
        shifted.environment["LD_PRELOAD"] = library
        shifted.environment["FAKETIME"] = shift
        return shifted
    }
}

extension RunningProgram {
    /// What libfaketime leaves of a program that did not end by itself.
    func removeSharedClock() {
        for name in ["faketime_shm_", "sem.faketime_sem_"] {
            try? FileManager.default.removeItem(atPath: "/dev/shm/" + name + String(processId))
        }
    }
}
