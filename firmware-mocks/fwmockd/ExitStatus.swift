/// How fwmockd ends, apart from the client's own status.
enum ExitStatus {
    static let misuse: Int32 = 2
    static let complaints: Int32 = 3
    static let missingPrerequisite: Int32 = 77
    static let limitReached: Int32 = 124
    static let mockFailed: Int32 = 125
    static let cannotStart: Int32 = 126
}
