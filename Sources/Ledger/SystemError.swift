import Glibc

/// The system's error numbers, for the sentences of errors.
enum SystemError {
    static func text(_ number: Int32) -> String {
        guard let text = strerror(number) else { return "error \(number)" }
        return String(cString: text)
    }
}
