/// What is learnt while a file is read: its problems, and which keys were looked for. One for each file.
final class ReadingRecord {
    private(set) var problems: [ConfigurationProblem] = []
    private(set) var furtherProblems = 0
    /// Every key that was looked for, in order; positions in lists are written `[]`.
    private(set) var keys: [String] = []
    /// Those of them that the file does not have.
    private(set) var absentKeys: Set<String> = []
    private var knownKeys: Set<String> = []

    func report(_ path: String, _ message: String) {
        guard problems.count < ConfigurationError.maximumProblems else {
            furtherProblems += 1
            return
        }
        problems.append(ConfigurationProblem(path: path, message: message))
    }

    func looked(for key: String, isPresent: Bool) {
        if knownKeys.insert(key).inserted { keys.append(key) }
        if !isPresent { absentKeys.insert(key) }
    }

    var error: ConfigurationError? {
        problems.isEmpty ? nil : ConfigurationError(problems, furtherProblems: furtherProblems)
    }
}
